import { useDebouncedValue } from '@mantine/hooks';
import { countAudience } from '@parley/contract/audiences/audiences.ts';
import type { ConditionGroup, Conditions } from '@parley/contract/audiences/conditions.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import styles from './Conditions.module.css';
import { type Fields, isWhole } from './tree.ts';

const PAUSE_MS = 300;

/** The number of people who match. A request that a change makes obsolete is canceled. */
export function LiveCount({ root, fields }: { root: ConditionGroup; fields: Fields }) {
  const [settled] = useDebouncedValue(root, PAUSE_MS);
  const isReady = isWhole(settled, fields);
  const { data, error, isPlaceholderData } = useEndpoint(
    countAudience,
    { body: { conditions: settled as Conditions } },
    { enabled: isReady, keepPrevious: true, staleTime: 5_000 },
  );
  const isStale = isPlaceholderData || settled !== root;
  return (
    <p className={styles.count} role="status" data-stale={isStale || undefined}>
      {!isReady ? 'Complete the conditions to see who matches.' : error ? error.message : countText(data?.data)}
    </p>
  );
}

export function countText(data: { count: number; is_estimate: boolean } | undefined): string {
  if (!data) return 'Counting';
  const people = formatCount(data.count, 'person', 'people');
  if (data.is_estimate) return `About ${people} match right now.`;
  return data.count === 1 ? `${people} matches right now.` : `${people} match right now.`;
}

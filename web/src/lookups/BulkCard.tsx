/** One bulk lookup: its progress, its results, and the actions for them. */
import { Button } from '@mantine/core';
import {
  applyBulkLookup,
  type BulkLookup,
  removeBulkLookup,
  updateBulkLookup,
} from '@parley/contract/lookups/lookups.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { audiencePath, linkToAddress, lookupHistoryPath } from '../paths.ts';
import { formatCount, formatMoney, formatNumber } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { Progress } from '../ui/feedback/Progress.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Lookups.module.css';
import { LOOKUP_LABELS } from './words.ts';

const GROUPS = ['good', 'bad', 'landline', 'unknown'] as const;

export function BulkCard({ bulk }: { bulk: BulkLookup }) {
  const { id, name, status, done, total, ported, cost_micros, currency, invalid } = bulk;
  return (
    <section className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2>{name}</h2>
        <StateButtons bulk={bulk} />
      </div>
      <Progress
        label={`Lookup of ${name}`}
        done={done}
        total={total}
        running={status === 'in_progress'}
        parts={GROUPS.map((key) => ({ key, ...LOOKUP_LABELS[key], value: bulk[key] }))}
      />
      <StatChips
        label="Results"
        stats={[
          ...GROUPS.map((key) => ({
            key,
            label: LOOKUP_LABELS[key].label,
            tone: LOOKUP_LABELS[key].tone,
            value: formatNumber(bulk[key]),
            href: lookupHistoryPath(id, key),
          })),
          { key: 'ported', label: 'Ported', value: formatNumber(ported) },
          { key: 'cost', label: 'Cost', value: formatMoney(cost_micros, currency, { exact: true }) },
        ]}
      />
      {invalid > 0 && (
        <p className={styles.note}>
          {formatNumber(invalid)} row{invalid === 1 ? ' has' : 's have'} no valid number.
        </p>
      )}
      {status === 'completed' && <ResultButtons bulk={bulk} />}
    </section>
  );
}

function StateButtons({ bulk: { id, name, status, done } }: { bulk: BulkLookup }) {
  const update = useAction(updateBulkLookup, {});
  const remove = useAction(removeBulkLookup, { onSuccess: () => toast.success(`${name} was deleted`) });
  const onRemove = async () => {
    const isSure = await confirm({
      title: `Delete the lookup of ${name}?`,
      consequence: 'Its results will be deleted, too. Numbers that have not been looked up are not charged.',
      action: 'Delete lookup',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id } });
  };
  const next = status === 'paused' ? 'in_progress' : 'paused';
  return (
    <div className={styles.actions}>
      {done > 0 && (
        <Button variant="default" component={Link} {...linkToAddress(lookupHistoryPath(id))}>
          View and export results
        </Button>
      )}
      {status !== 'completed' && (
        <Allow needs={updateBulkLookup.needs}>
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => update.mutate({ params: { id }, body: { status: next } })}
          >
            {status === 'paused' ? 'Resume lookup' : 'Pause lookup'}
          </Button>
        </Allow>
      )}
      <Allow needs={removeBulkLookup.needs}>
        <Button variant="default" loading={remove.isPending} onClick={() => void onRemove()}>
          Delete lookup
        </Button>
      </Allow>
    </div>
  );
}

/** Only people have tags, so numbers from a file may have none to tag. */
function doneText(action: string, count: number): string {
  if (action === 'tag') return count === 0 ? 'No people to tag' : `${formatCount(count, 'person', 'people')} tagged`;
  const numbers = formatCount(count, 'number');
  return action === 'remove_from_audience' ? `${numbers} removed` : `${numbers} added to the stop list`;
}

function ResultButtons({ bulk: { id, good, bad, landline, audience_id } }: { bulk: BulkLookup }) {
  const navigate = useNavigate();
  const apply = useAction(applyBulkLookup, {
    invalidates: ['audiences', 'contacts', 'stop_list'],
    onSuccess: ({ data }, { body }) => {
      if (body.action === 'create_audience' && data.audience_id)
        void navigate({ href: audiencePath(data.audience_id) });
      else toast.success(doneText(body.action, data.count));
    },
  });
  const run = (
    action: 'create_audience' | 'tag' | 'add_to_stop_list' | 'remove_from_audience',
    statuses: readonly ('good' | 'bad' | 'landline')[],
  ) => apply.mutate({ params: { id }, body: { action, statuses: [...statuses] } });
  return (
    <Allow needs={applyBulkLookup.needs}>
      <div className={styles.actions}>
        <Button disabled={good === 0} loading={apply.isPending} onClick={() => run('create_audience', ['good'])}>
          Create audience from good numbers
        </Button>
        <Button variant="default" disabled={bad === 0} onClick={() => run('add_to_stop_list', ['bad'])}>
          Add bad numbers to the stop list
        </Button>
        <Button
          variant="default"
          disabled={bad + landline === 0}
          title="People get the tag “Bad number” or “Landline”"
          onClick={() => run('tag', ['bad', 'landline'])}
        >
          Tag bad numbers and landlines
        </Button>
        {audience_id !== null && (
          <Button
            variant="default"
            disabled={bad + landline === 0}
            onClick={() => run('remove_from_audience', ['bad', 'landline'])}
          >
            Remove bad numbers and landlines
          </Button>
        )}
      </div>
    </Allow>
  );
}

/** The conditions of a dynamic audience in words, and the number of people who match now. */
import { countAudience, listAudiences } from '@parley/contract/audiences/audiences.ts';
import {
  type ConditionGroup,
  type Conditions,
  isGroup,
  listConditions,
} from '@parley/contract/audiences/conditions.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useContactFields } from '../people/contact_fields.ts';
import styles from './Conditions.module.css';
import { countText } from './LiveCount.tsx';
import { describe, type Fields } from './tree.ts';

export default function ConditionSummary({ conditions }: { conditions: Conditions }) {
  const fields = useContactFields();
  const usesAudiences = listConditions(conditions).some(({ subject }) => subject === 'audiences');
  const audiences = useEndpoint(listAudiences, { query: { page_size: 1000 } }, { enabled: usesAudiences });
  const names = new Map((audiences.data?.data ?? []).map(({ id, name }) => [id, name]));
  const { data, error } = useEndpoint(countAudience, { body: { conditions } }, { staleTime: 5_000 });
  return (
    <section aria-label="Conditions" className={styles.summary}>
      <p className={styles.count} role="status">
        {error ? error.message : countText(data?.data)}
      </p>
      <Group group={conditions} fields={fields} names={names} />
    </section>
  );
}

function Group({
  group,
  fields,
  names,
}: {
  group: ConditionGroup;
  fields: Fields;
  names: ReadonlyMap<string, string>;
}) {
  return (
    <div>
      {group.conditions.length > 1 && (
        <span>{group.match === 'all' ? 'All of these apply:' : 'Any of these applies:'}</span>
      )}
      <ul className={styles.summary}>
        {group.conditions.map((node, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={index}>
            {isGroup(node) ? <Group group={node} fields={fields} names={names} /> : describe(node, fields, names)}
          </li>
        ))}
      </ul>
    </div>
  );
}

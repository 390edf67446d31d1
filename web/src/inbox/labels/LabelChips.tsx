import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import type { Label } from '@parley/contract/inbox/labels.ts';
import styles from './Labels.module.css';
import { useConversationLabels } from './labels.ts';

export function LabelChip({ label }: { label: Pick<Label, 'name' | 'color'> }) {
  return (
    <span className={styles.chip} data-color={label.color}>
      <bdi>{label.name}</bdi>
    </span>
  );
}

/** All labels of a conversation. */
export function LabelChips({ conversation }: { conversation: Pick<Conversation, 'label_ids'> }) {
  const labels = useConversationLabels(conversation);
  if (labels.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Labels">
      {labels.map((label) => (
        <li key={label.id}>
          <LabelChip label={label} />
        </li>
      ))}
    </ul>
  );
}

/** The labels in a row of the list: the name of the first one, and a dot for each of the others. */
export function LabelMarks({ conversation }: { conversation: Pick<Conversation, 'label_ids'> }) {
  const [first, ...others] = useConversationLabels(conversation);
  if (!first) return null;
  return (
    <span className={styles.marks}>
      <LabelChip label={first} />
      {others.map(({ id, name, color }) => (
        <span key={id} className={styles.dot} data-color={color} role="img" aria-label={name} title={name} />
      ))}
    </span>
  );
}

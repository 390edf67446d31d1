/** The actions for selected conversations. A default export, because it loads with the first selection. */
import { type Conversation, removeConversation, STATUS_NEEDS } from '@parley/contract/inbox/inbox.ts';
import { LABEL_NEEDS } from '@parley/contract/inbox/label_changes.ts';
import { IconCheck, IconRotateClockwise, IconTag, IconTrash } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import { BulkProgress } from '../../bulk/BulkProgress.tsx';
import { allRowsText, bulkAction } from '../../bulk/bulk_action.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import BulkBar from '../../ui/data/table/BulkBar.tsx';
import type { AllRows, BulkAction } from '../../ui/data/table/columns.ts';
import type { Selection } from '../../ui/data/table/selection.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { useChangeStatus } from '../status/change_status.ts';
import styles from './ListBulk.module.css';

const LabelBulk = lazyPart(() => import('../labels/LabelBulk.tsx'));

interface ListBulkProps {
  selection: Selection<Conversation>;
  everything: AllRows | undefined;
  onRemove: (conversation: Conversation) => void;
}

export default function ListBulk({ selection, everything, onRemove }: ListBulkProps) {
  const change = useChangeStatus();
  const statusReason = useReason(STATUS_NEEDS);
  const label = useBulkLabel();
  const removeReason = useReason(removeConversation.needs);
  return (
    <div className={styles.root}>
      <BulkProgress name="close_conversations" />
      <BulkProgress name="open_conversations" />
      <BulkProgress name="label_conversations" />
      <BulkProgress name="unlabel_conversations" />
      <BulkProgress name="remove_conversations" />
      <BulkBar
        selection={selection}
        everything={everything}
        actions={[
          bulkAction<Conversation>({
            name: 'close_conversations',
            label: 'Close',
            icon: IconCheck,
            reason: statusReason,
            onOne: (row) => void change(row, { status: 'closed' }),
            question: (rows) => ({
              title: `Close ${rows}?`,
              consequence: 'They leave the list of open conversations and return when the contacts message you again.',
              action: `Close ${rows}`,
            }),
          }),
          bulkAction<Conversation>({
            name: 'open_conversations',
            label: 'Reopen',
            icon: IconRotateClockwise,
            reason: statusReason,
            onOne: (row) => void change(row, { status: 'open' }),
            question: (rows) => ({
              title: `Reopen ${rows}?`,
              consequence: 'They appear in the list of open conversations.',
              action: `Reopen ${rows}`,
            }),
          }),
          label.action,
          bulkAction<Conversation>({
            name: 'remove_conversations',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: removeReason,
            onOne: onRemove,
            question: (rows) => ({
              title: `Delete ${rows}?`,
              consequence: 'They leave the inbox of every user and return when the contacts message you again.',
              action: `Delete ${rows}`,
            }),
          }),
        ]}
      />
      {label.dialog}
    </div>
  );
}

/** The action that adds or removes a label, with its dialog. */
function useBulkLabel(): { action: BulkAction<Conversation>; dialog: ReactNode } {
  const reason = useReason(LABEL_NEEDS);
  const [target, setTarget] = useState<Omit<ComponentProps<typeof LabelBulk>, 'onClose'> | null>(null);
  return {
    action: {
      key: 'label',
      label: 'Label',
      icon: IconTag,
      reason: () => reason,
      onSelect: (rows, clear) =>
        setTarget({
          rows: formatCount(rows.length, 'conversation'),
          chosen: { ids: rows.map(({ id }) => id) },
          onDone: clear,
        }),
      onSelectAll: (all, clear) => setTarget({ rows: allRowsText(all, 'conversation'), chosen: all, onDone: clear }),
    },
    dialog: target && (
      <Suspense>
        <LabelBulk {...target} onClose={() => setTarget(null)} />
      </Suspense>
    ),
  };
}

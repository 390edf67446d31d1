/** The target of a conversation that is due next. A default export: only accounts with targets load it. */
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { IconAlarm } from '@tabler/icons-react';
import { formatExact } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { useNow, Waiting } from '../status/Waiting.tsx';
import { dueText, isSoon, listDue, TARGET_LABELS } from './due.ts';
import styles from './Targets.module.css';

interface DueMarkProps {
  conversation: Pick<Conversation, 'clocks' | 'waiting_since'>;
  /** In a list, a resolution that is not due soon gives way to the waiting time. */
  brief?: boolean;
}

export default function DueMark({ conversation, brief = false }: DueMarkProps) {
  const zone = useZone();
  const all = listDue(conversation, useNow(conversation.clocks !== null));
  const first = all.find((due) => !brief || due.target === 'response' || isSoon(due));
  if (!first && !brief && conversation.clocks?.paused)
    return (
      <Tooltip label="The resolution clock resumes when the conversation is open">
        <span className={styles.due}>
          <IconAlarm size={13} aria-hidden />
          Resolution paused
        </span>
      </Tooltip>
    );
  if (!first) return brief ? <Waiting since={conversation.waiting_since} brief /> : null;
  const label = all.map(({ target, due }) => `${TARGET_LABELS[target]} due ${formatExact(due, zone)}`).join(' · ');
  return (
    <Tooltip label={label}>
      <span className={styles.due} data-state={first.seconds < 0 ? 'overdue' : isSoon(first) ? 'soon' : undefined}>
        <IconAlarm size={13} aria-hidden />
        {dueText(first, brief)}
      </span>
    </Tooltip>
  );
}

import { ActionIcon } from '@mantine/core';
import { type Conversation, STATUS_NEEDS } from '@parley/contract/inbox/inbox.ts';
import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import { IconCheck, IconChevronDown, IconMail, IconRotateClockwise } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { formatDateTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import assign from '../assign/Assign.module.css';
import { type NewStatus, useChangeStatus, useMarkUnread } from './change_status.ts';
import styles from './Status.module.css';
import { snoozeTimes } from './snooze_times.ts';
import { STATUS_LABELS } from './words.ts';

// The field for a date is loaded when the user opens the menu.
const TimeForm = lazyPart(() => import('./TimeForm.tsx'));

interface Props {
  conversation: Conversation;
  /** Called after the conversation has left the list of open ones, or is unread again. */
  onLeave: () => void;
}

/** The status of the open conversation: the menu with all changes, and a button that closes or reopens it. */
export function StatusPicker({ conversation, onLeave }: Props) {
  const change = useChangeStatus();
  const markUnread = useMarkUnread();
  const { id, status } = conversation;
  const set = async (next: NewStatus) => {
    if ((await change(conversation, next)) && (next.status === 'closed' || next.status === 'snoozed')) onLeave();
  };
  const markAsUnread = async () => {
    if (await markUnread(id)) onLeave();
  };
  const isAllowed = useReason(STATUS_NEEDS) === null;
  const flipped: NewStatus = { status: status === 'closed' ? 'open' : 'closed' };
  useShortcuts('Conversation', [
    { keys: 'E', label: 'Close or reopen', run: () => void set(flipped), when: () => isAllowed },
    { keys: 'S', label: 'Snooze', run: openStatusMenu, when: () => isAllowed },
    { keys: 'U', label: 'Mark as unread', run: () => void markAsUnread() },
  ]);
  return (
    <>
      <Popup
        label="Conversation status"
        takesFocus
        className={styles.box}
        target={(target) => (
          <Allow needs={STATUS_NEEDS}>
            <button
              {...target}
              className={assign.target}
              data-status-menu
              aria-label={`Status: ${STATUS_LABELS[status]}. Change`}
            >
              <span className={assign.label}>{STATUS_LABELS[status]}</span>
              <IconChevronDown size={14} aria-hidden />
            </button>
          </Allow>
        )}
      >
        {(close) => (
          <StatusMenu
            conversation={conversation}
            onStatus={(next) => {
              close();
              void set(next);
            }}
            onUnread={() => {
              close();
              void markAsUnread();
            }}
          />
        )}
      </Popup>
      <Allow needs={STATUS_NEEDS}>
        <Tooltip label={status === 'closed' ? 'Reopen (E)' : 'Close (E)'}>
          <ActionIcon
            className={styles.close}
            variant="default"
            size={32}
            aria-label={status === 'closed' ? 'Reopen conversation' : 'Close conversation'}
            onClick={() => void set(flipped)}
          >
            {status === 'closed' ? (
              <IconRotateClockwise size={17} aria-hidden />
            ) : (
              <IconCheck size={17} stroke={2.2} aria-hidden />
            )}
          </ActionIcon>
        </Tooltip>
      </Allow>
    </>
  );
}

/** Opens the menu of the conversation on the page. */
export function openStatusMenu(): void {
  document.querySelector<HTMLButtonElement>('button[data-status-menu]')?.click();
}

const PLAIN: readonly ConversationStatus[] = ['open', 'pending', 'closed'];

interface MenuProps {
  conversation: Conversation;
  onStatus: (next: NewStatus) => void;
  onUnread: () => void;
}

function StatusMenu({ conversation, onStatus, onUnread }: MenuProps) {
  const zone = useZone();
  const [now] = useState(() => new Date());
  const { status, snooze_until } = conversation;
  return (
    <>
      <ul className={styles.items}>
        {PLAIN.map((one) => (
          <li key={one}>
            <button
              type="button"
              className={styles.choice}
              aria-current={status === one || undefined}
              onClick={() => onStatus({ status: one })}
            >
              <span>{STATUS_LABELS[one]}</span>
              {one === 'pending' && <span className={styles.hint}>Waiting for the contact</span>}
              {status === one && <IconCheck size={15} aria-hidden />}
            </button>
          </li>
        ))}
      </ul>
      <h3 className={styles.heading}>
        {status === 'snoozed' ? `Snoozed until ${formatDateTime(snooze_until, zone)}` : 'Snooze'}
      </h3>
      <ul className={styles.items}>
        {snoozeTimes(now, zone).map(({ label, at }) => (
          <li key={label}>
            <button type="button" className={styles.choice} onClick={() => onStatus({ status: 'snoozed', until: at })}>
              <span>{label}</span>
              <span className={styles.hint}>{formatDateTime(at, zone)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Suspense fallback={<Skeleton height={52} />}>
        <TimeForm now={now} verb="Snooze" onChoose={(until) => onStatus({ status: 'snoozed', until })} />
      </Suspense>
      <button type="button" className={`${styles.choice} ${styles.unread}`} onClick={onUnread}>
        <IconMail size={15} aria-hidden />
        <span>Mark as unread</span>
        <KeyHint keys={['U']} />
      </button>
    </>
  );
}

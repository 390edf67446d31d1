/** The line below the bubble of a scheduled message. A default export, because it loads with the first such message. */
import { Button } from '@mantine/core';
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { cancelMessage } from '@parley/contract/messages/details.ts';
import { rescheduleMessage } from '@parley/contract/messages/reschedules.ts';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { toastError } from '../../kernel/http/query.ts';
import { toWire } from '../../ui/controls/local_time.ts';
import { formatDateTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Popup } from '../../ui/layout/Popup.tsx';
import { restoreReply } from '../composer/restore.ts';
import SendTimes from '../composer/SendTimes.tsx';
import status from '../status/Status.module.css';
import { isUndoWait } from './order.ts';
import styles from './Thread.module.css';

interface Props {
  message: ConversationMessage;
  conversation_id: string;
  /** False if the user cannot send. */
  canChange: boolean;
}

export default function ScheduledFoot({ message, conversation_id, canChange }: Props) {
  const zone = useZone();
  const [isBusy, setBusy] = useState(false);
  const act = async (change: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await change();
      return true;
    } catch (error) {
      toastError(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const params = { id: message.id };
  const cancel = () => act(() => call(cancelMessage, { params }));
  const move = (schedule: string | null) => act(() => call(rescheduleMessage, { params, body: { schedule } }));
  const undo = async () => {
    if ((await cancel()) && isPlainText(message)) restoreReply(conversation_id, message.text);
  };
  if (isUndoWait(message))
    return (
      <footer className={styles.meta} role="status">
        <IconClock size={13} aria-hidden /> Sending
        {canChange && (
          <Button size="compact-xs" variant="default" loading={isBusy} onClick={() => void undo()}>
            Undo
          </Button>
        )}
      </footer>
    );
  return (
    <footer className={`${styles.meta} ${styles.scheduled}`}>
      <span className={styles.meta}>
        <IconClock size={13} aria-hidden />
        <span>
          {message.user_name && <bdi>{`${message.user_name}, `}</bdi>}
          scheduled for {formatDateTime(message.schedule, zone)}
        </span>
      </span>
      {canChange && (
        <>
          <Popup
            label="Change time"
            takesFocus
            className={status.box}
            target={(target) => (
              <Button {...target} size="compact-xs" variant="default" disabled={isBusy}>
                Change time
              </Button>
            )}
          >
            {(close) => (
              <SendTimes
                verb="Change"
                onChoose={(at) => {
                  close();
                  void move(toWire(at));
                }}
              />
            )}
          </Popup>
          <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => void move(null)}>
            Send now
          </Button>
          <Button size="compact-xs" variant="subtle" disabled={isBusy} onClick={() => void undo()}>
            Cancel
          </Button>
        </>
      )}
    </footer>
  );
}

const isPlainText = ({ type, template_id, content }: ConversationMessage): boolean =>
  type === 'text' && template_id === null && !content?.buttons.length;

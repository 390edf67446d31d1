/** One message's whole story: where it stands and why, what was sent, what it cost, who sent it by what, and everything anybody said about it. */
import { Button } from '@mantine/core';
import { cancelMessage, getMessage, type MessageDetail } from '@parley/contract/messages/messages.ts';
import { ContentView } from '../channels/ContentView.tsx';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { MessageFacts } from './MessageFacts.tsx';
import styles from './Messages.module.css';
import { MessageText } from './MessageText.tsx';
import { MessageTimeline } from './MessageTimeline.tsx';
import { FAILURE_WORDS } from './words.ts';

export function MessageInspector({ id, onClose }: { id: string | null; onClose: () => void }) {
  const answer = useEndpoint(getMessage, { params: { id: id ?? '' } }, { enabled: id !== null });
  const message = id === null ? undefined : answer.data?.data;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      wide
      title={message ? <Heading message={message} /> : 'Message'}
      description={
        message && (
          <>
            <StatusBadge status={message.status} />
            <CopyId value={message.id} label="message id" />
          </>
        )
      }
      actions={message && isWaiting(message) ? <CancelButton message={message} /> : undefined}
    >
      {message ? (
        <MessageContent message={message} />
      ) : answer.error?.status === 404 || answer.error?.status === 400 ? (
        <EmptyState title="There is no such message">
          It may belong to another account, or the link is not complete.
        </EmptyState>
      ) : answer.error ? (
        <ErrorState
          title="The message could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={8} />
      )}
    </SidePanel>
  );
}

// A region that scrolls must be reachable by keyboard.
const SCROLLS = { tabIndex: 0, role: 'region', 'aria-label': 'Message as JSON' };

const isWaiting = (message: MessageDetail) => message.status === 'scheduled' || message.status === 'enroute';

function Heading({ message }: { message: MessageDetail }) {
  return message.direction === 'MT' ? (
    <>
      To <PhoneNumber value={message.to} />
    </>
  ) : (
    <>
      From <PhoneNumber value={message.from} />
    </>
  );
}

function MessageContent({ message }: { message: MessageDetail }) {
  return (
    <>
      {message.failure && <FailureReason message={message} />}
      <ContentView content={message.content} missing={message.direction === 'MO' ? message.status_details : null}>
        <MessageText message={message} />
      </ContentView>
      <section className={styles.section}>
        <h3>What happened</h3>
        <MessageTimeline message={message} />
      </section>
      <section className={styles.section}>
        <h3>Details</h3>
        <MessageFacts message={message} />
      </section>
      <section className={styles.section}>
        <h3>Raw</h3>
        <pre className={styles.raw} {...SCROLLS}>
          {JSON.stringify(message, null, 2)}
        </pre>
      </section>
    </>
  );
}

/** From the reason in our words, to the carrier's code, to what the carrier said. */
function FailureReason({ message }: { message: MessageDetail }) {
  const { failure, status_details, carrier_code } = message;
  if (failure === null) return null;
  return (
    <div className={styles.failure}>
      <p>{FAILURE_WORDS[failure]}</p>
      {(status_details || carrier_code) && (
        <dl className={styles.chain}>
          {status_details && (
            <>
              <dt>In detail</dt>
              <dd>{status_details}</dd>
            </>
          )}
          {carrier_code && (
            <>
              <dt>Carrier’s code</dt>
              <dd>{carrier_code}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}

function CancelButton({ message }: { message: MessageDetail }) {
  const cancel = useAction(cancelMessage, {
    onSuccess: () => toast.success('The message was canceled'),
    onError: (error) => toast.error(error.message),
  });
  const ask = async () => {
    const yes = await confirm({
      title: 'Cancel this message?',
      consequence: 'It will not be sent, and what was held for it is given back.',
      action: 'Cancel message',
      cancel: 'Keep it',
      danger: true,
    });
    if (yes) cancel.mutate({ params: { id: message.id } });
  };
  return (
    <Allow needs={cancelMessage.needs}>
      <Button variant="default" loading={cancel.isPending} onClick={() => void ask()}>
        Cancel message
      </Button>
    </Allow>
  );
}

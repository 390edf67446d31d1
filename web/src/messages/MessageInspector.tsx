/** Everything about one message: status, failure reason, text, timeline, facts, and the raw record. */
import { Button } from '@mantine/core';
import { cancelMessage, getMessage, type MessageDetail } from '@parley/contract/messages/details.ts';
import { shownStatus } from '@parley/contract/messages/statuses.ts';
import { useState } from 'react';
import { ContentView } from '../channels/preview/ContentView.tsx';
import { useRecordActions } from '../kernel/commands.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { messagePath } from '../paths.ts';
import { Tabs } from '../ui/controls/Tabs.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Cropped } from '../ui/layout/Cropped.tsx';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { CarrierExchange } from './CarrierExchange.tsx';
import { MessageDecision } from './MessageDecision.tsx';
import { MessageEffects } from './MessageEffects.tsx';
import { MessageFacts } from './MessageFacts.tsx';
import styles from './Messages.module.css';
import { MessageText } from './MessageText.tsx';
import { MessageTimeline } from './MessageTimeline.tsx';
import { FAILURE_WORDS } from './words.ts';

/** A default export, because it is loaded when the user opens a message. */
export default function MessageInspector({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getMessage, { params: { id: id ?? '' } }, { enabled: id !== null });
  const message = id === null ? undefined : query.data?.data;
  // The open tab stays open for the next message.
  const [tab, setTab] = useState<Tab>('details');
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={message ? <Heading message={message} /> : 'Message'}
      description={message && <StatusBadge {...shownStatus(message)} reason={message.status_details} />}
      recordId={message?.id}
      actions={message && isCancelable(message) ? <CancelButton message={message} /> : undefined}
    >
      {message ? (
        <MessageTabs message={message} tab={tab} onTab={setTab} />
      ) : query.error?.status === 404 || query.error?.status === 400 ? (
        <EmptyState title="Message not found">It belongs to another account, or the link is incomplete.</EmptyState>
      ) : query.error ? (
        <ErrorState
          title="The message could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={8} />
      )}
    </SidePanel>
  );
}

// A scrolling region must be reachable by keyboard.
const SCROLL_REGION = { tabIndex: 0, role: 'region', 'aria-label': 'Message as JSON' };

const isCancelable = (message: MessageDetail) => message.status === 'scheduled' || message.status === 'enroute';

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

const TABS = [
  { value: 'details', label: 'Details' },
  { value: 'carrier', label: 'Carrier' },
] as const;
type Tab = (typeof TABS)[number]['value'];

interface MessageTabsProps {
  message: MessageDetail;
  tab: Tab;
  onTab: (tab: Tab) => void;
}

const MessageTabs = ({ message, tab, onTab }: MessageTabsProps) => (
  <Tabs aria-label="Message" value={tab} onChange={onTab} data={TABS}>
    {tab === 'details' ? <MessageContent message={message} /> : <CarrierExchange message={message} />}
  </Tabs>
);

function MessageContent({ message }: { message: MessageDetail }) {
  return (
    <>
      {message.failure && <FailureReason message={message} />}
      <MessageFacts message={message} />
      <div className={styles.section}>
        <Cropped key={message.id} title="Message">
          <ContentView content={message.content} missing={message.direction === 'MO' ? message.status_details : null}>
            <MessageText message={message} />
          </ContentView>
        </Cropped>
      </div>
      <section className={styles.section}>
        <h3>Timeline</h3>
        <MessageTimeline message={message} />
      </section>
      <MessageEffects message={message} />
      {message.decisions.length > 0 && (
        <section className={styles.section}>
          <h3>Why?</h3>
          <MessageDecision message={message} />
        </section>
      )}
      <section className={styles.section}>
        <h3>Raw record</h3>
        <pre className={styles.raw} {...SCROLL_REGION}>
          {JSON.stringify(message, null, 2)}
        </pre>
      </section>
    </>
  );
}

/** The failure reason, then the carrier's explanation and code. */
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
              <dt>Details</dt>
              <dd>{status_details}</dd>
            </>
          )}
          {carrier_code && (
            <>
              <dt>Carrier code</dt>
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
  const confirmCancel = async () => {
    const confirmed = await confirm({
      title: 'Cancel this message?',
      consequence: 'The message will not be sent, and its hold will be released.',
      action: 'Cancel message',
      cancel: 'Keep message',
      danger: true,
    });
    if (confirmed) cancel.mutate({ params: { id: message.id } });
  };
  const { id, text, type } = message;
  useRecordActions({ kind: 'message', id, title: text.slice(0, 60) || type, path: messagePath(id) }, [
    { label: 'Cancel message', reason: useReason(cancelMessage.needs), run: () => void confirmCancel() },
  ]);
  return (
    <Allow needs={cancelMessage.needs}>
      <Button variant="default" loading={cancel.isPending} onClick={() => void confirmCancel()}>
        Cancel message
      </Button>
    </Allow>
  );
}

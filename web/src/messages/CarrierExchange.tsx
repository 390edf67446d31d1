/** What went to the carrier of a message and came back, in order, and the switch that records it. */
import { Button } from '@mantine/core';
import {
  type CarrierPayload,
  type CarrierRecording,
  getCarrierRecording,
  listCarrierPayloads,
  startCarrierRecording,
  stopCarrierRecording,
} from '@parley/contract/messages/carrier_payloads.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { brandName } from '../ui/brand.ts';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import styles from './Messages.module.css';

/** Payloads are stored a second after they were sent. */
const REFRESH_MS = 3_000;

type Shown = Pick<MessageDetail, 'id' | 'direction'>;

export function CarrierExchange({ message: { id, direction } }: { message: Shown }) {
  const recording = useEndpoint(getCarrierRecording, {}, { refetchInterval: REFRESH_MS });
  const isOn = recording.data?.data.is_on === true;
  const query = useEndpoint(listCarrierPayloads, { params: { id } }, { refetchInterval: isOn ? REFRESH_MS : false });
  const payloads = query.data?.data;
  if (query.error)
    return (
      <ErrorState
        title="The carrier exchange could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  if (!payloads || !recording.data) return <SkeletonFields count={4} />;
  return (
    <>
      {isOn && <RecordingNotice recording={recording.data.data} />}
      {payloads.length === 0 ? (
        <EmptyState title="Nothing recorded for this message" action={isOn ? undefined : <StartButton />}>
          {isOn ? TOO_EARLY[direction] : emptyText(direction, recording.data.data)}
        </EmptyState>
      ) : (
        <>
          <ol className={styles.exchange} aria-label="Carrier exchange">
            {payloads.map((payload) => (
              <li key={payload.id}>
                <Payload payload={payload} />
              </li>
            ))}
          </ol>
          <p className={styles.measure}>
            Passwords, tokens, carrier prices, and numbers of 4 to 8 digits in texts are masked.
          </p>
        </>
      )}
    </>
  );
}

const TOO_EARLY = {
  MT: 'It was sent before the recording started. Send another message to see it here.',
  MO: 'It arrived before the recording started. The next message is recorded.',
};

function emptyText(direction: Shown['direction'], { max_messages }: CarrierRecording): string {
  const what =
    direction === 'MT'
      ? `To see what ${brandName()} sends to the carrier and what comes back, record for an hour and send a message.`
      : 'To see what the carrier delivers, record for an hour. Then ask the contact to write again.';
  return `${what} A recording covers up to ${formatNumber(max_messages)} messages of the account.`;
}

function StartButton() {
  const start = useAction(startCarrierRecording);
  return (
    <Allow needs={startCarrierRecording}>
      <Button loading={start.isPending} onClick={() => start.mutate({ body: {} })}>
        Record for 1 hour
      </Button>
    </Allow>
  );
}

function RecordingNotice({ recording }: { recording: CarrierRecording }) {
  const { end_date, messages_count, max_messages } = recording;
  const stop = useAction(stopCarrierRecording);
  return (
    <Notice
      tone="info"
      className={styles.recording}
      action={
        <Allow needs={stopCarrierRecording}>
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate({})}>
            Stop recording
          </Button>
        </Allow>
      }
    >
      Recording until <DateTime value={end_date} show="time" />, {formatNumber(messages_count)} of{' '}
      {formatNumber(max_messages)} messages
    </Notice>
  );
}

function Payload({ payload }: { payload: CarrierPayload }) {
  const { direction, title, fields, body, is_cut, at, connection_name } = payload;
  const lines = [title, ...fields.map(({ name, value }) => `${name}: ${value}`)];
  const rest = is_cut ? ['', 'Only the beginning of the body was recorded.'] : [];
  const heading = direction === 'sent' ? 'Sent to the carrier' : 'Received from the carrier';
  return (
    <>
      <h4>
        {heading}
        <span className={styles.source}>
          {at.slice(11)} UTC{connection_name ? `, ${connection_name}` : ''}
        </span>
      </h4>
      <CodeBlock label={title} code={[...lines, ...(body ? ['', pretty(body)] : []), ...rest].join('\n')} />
    </>
  );
}

/** Indents JSON, and puts each value of a form on a line. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return /^[^\s=&]+=[^\s]*$/.test(body) ? body.split('&').map(readable).join('\n') : body;
  }
}

function readable(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

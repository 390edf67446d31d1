import { Button } from '@mantine/core';
import {
  DELIVERY_STATUS,
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhookDelivery,
  type Webhook,
  type WebhookDelivery,
} from '@parley/contract/webhooks/webhooks.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { eventLabel } from './event_labels.ts';
import styles from './Webhooks.module.css';
import { inactiveReason } from './WebhookTools.tsx';

const STEP = 20;
/** The largest page of a list. */
const MAX_SHOWN = 100;
const STATES = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Pending' },
] as const;
type State = (typeof STATES)[number]['value'];
const REFRESH_MS = 5_000;

/** A webhook's deliveries, newest first, with the request and the responses of the selected one. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id: webhook_id } = webhook;
  const [state, setState] = useState<State>('all');
  const [shown, setShown] = useState(STEP);
  const list = useEndpoint(
    listWebhookDeliveries,
    {
      params: { id: webhook_id },
      query: { page_size: shown, ...(state === 'all' ? {} : { filter: { status: state } }) },
    },
    { refetchInterval: REFRESH_MS, keepPrevious: true },
  );
  const [open, setOpen] = useState<string | null>(null);
  const isClosed = useReason(getWebhookDelivery) !== null;
  const rows = list.data?.data;
  return (
    <section aria-label="Deliveries">
      <h3 className={styles.title}>Deliveries</h3>
      <Segments aria-label="Deliveries" value={state} data={STATES} onChange={setState} />
      {rows?.length === 0 && <p className={styles.none}>{EMPTY[state]}</p>}
      <ul className={styles.deliveries}>
        {rows?.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className={styles.delivery}
              disabled={isClosed}
              aria-expanded={open === row.id}
              onClick={() => setOpen(open === row.id ? null : row.id)}
            >
              <span className={styles.event}>{eventLabel(row.event)}</span>
              <StatusBadge {...DELIVERY_STATUS[row.status]} reason={row.error} />
              <DateTime value={row.create_date} />
            </button>
            {open === row.id && <Delivery delivery={row} reason={inactiveReason(webhook)} />}
          </li>
        ))}
      </ul>
      {(list.data?.pagination?.total ?? 0) > shown && shown < MAX_SHOWN && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          Show {STEP} more
        </Button>
      )}
    </section>
  );
}

const EMPTY: Readonly<Record<State, string>> = {
  all: 'No deliveries yet. Send an example to test your server.',
  failed: 'No failed deliveries',
  pending: 'No pending deliveries',
};

interface DeliveryProps {
  delivery: WebhookDelivery;
  /** Why it cannot be sent again. */
  reason: string | null;
}

function Delivery({ delivery: { id: delivery_id, webhook_id: id }, reason }: DeliveryProps) {
  const params = { id, delivery_id };
  const detail = useEndpoint(getWebhookDelivery, { params }, { refetchInterval: REFRESH_MS }).data?.data;
  const resend = useAction(resendWebhookDelivery, {
    onSuccess: () => toast.success('The delivery is being resent'),
  });
  if (!detail) return null;
  const isWaiting = detail.status === 'pending' && detail.attempts_count > 0 && detail.next_date !== null;
  return (
    <div className={styles.detail}>
      <CodeBlock label="Request body" code={prettyJson(detail.request_body)} />
      <ul className={styles.attempts}>
        {detail.attempts.map(({ at, response_status, response_body, error, ms }) => (
          <li key={at}>
            <DateTime value={at} /> {response_status ?? 'No response'} in {ms} ms
            {error && <div>{error}</div>}
            {response_body && <pre className={styles.body}>{response_body}</pre>}
          </li>
        ))}
      </ul>
      {isWaiting && (
        <p className={styles.hint}>
          Next attempt: <DateTime value={detail.next_date} />
        </p>
      )}
      <Allow needs={resendWebhookDelivery}>
        <Disabled reason={reason}>
          <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate({ params })}>
            Send again
          </Button>
        </Disabled>
      </Allow>
    </div>
  );
}

const prettyJson = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);

import { Button } from '@mantine/core';
import {
  DELIVERY_STATUS,
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhookDelivery,
  type WebhookDelivery,
} from '@parley/contract/webhooks/webhooks.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { eventLabel } from './event_labels.ts';
import styles from './Webhooks.module.css';

const SHOWN = 20;
const REFRESH_MS = 5_000;

/** The latest deliveries of a webhook, with the request and the responses of the selected one. */
export function Deliveries({ webhook_id }: { webhook_id: string }) {
  const list = useEndpoint(
    listWebhookDeliveries,
    { params: { id: webhook_id }, query: { page_size: SHOWN } },
    { refetchInterval: REFRESH_MS },
  );
  const [open, setOpen] = useState<string | null>(null);
  const isClosed = useReason(getWebhookDelivery) !== null;
  const rows = list.data?.data;
  return (
    <section aria-label="Deliveries">
      <h3 className={styles.title}>Latest deliveries</h3>
      {rows?.length === 0 && <p className={styles.hint}>No deliveries yet. Send an example to test your server.</p>}
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
            {open === row.id && <Delivery delivery={row} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Delivery({ delivery: { id: delivery_id, webhook_id: id } }: { delivery: WebhookDelivery }) {
  const params = { id, delivery_id };
  const detail = useEndpoint(getWebhookDelivery, { params }, { refetchInterval: REFRESH_MS }).data?.data;
  const resend = useAction(resendWebhookDelivery, {
    onSuccess: () => toast.success('The delivery is being resent'),
  });
  if (!detail) return null;
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
      <Allow needs={resendWebhookDelivery}>
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate({ params })}>
          Send again
        </Button>
      </Allow>
    </div>
  );
}

const prettyJson = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);

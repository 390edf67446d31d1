import { Button } from '@mantine/core';
import {
  recoverWebhook,
  removeWebhook,
  rotateWebhookSecret,
  sendWebhookExample,
  updateWebhook,
  WEBHOOK_STATUS,
  type Webhook,
} from '@parley/contract/webhooks/webhooks.ts';
import { Suspense } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatCount } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { Deliveries } from './Deliveries.tsx';
import { SIMPLE_LABELS } from './event_labels.ts';
import styles from './Webhooks.module.css';

const ClientCertificate = lazyPart(() => import('./ClientCertificate.tsx'));

interface WebhookPanelProps {
  webhook: Webhook | null;
  onClose: () => void;
  onEdit: (webhook: Webhook) => void;
}

export function WebhookPanel({ webhook, onClose, onEdit }: WebhookPanelProps) {
  return (
    <SidePanel
      open={webhook !== null}
      onClose={onClose}
      title={webhook ? new URL(webhook.url).host : ''}
      description={webhook && <StatusBadge {...WEBHOOK_STATUS[webhook.status]} />}
      recordId={webhook?.id}
      actions={webhook && <PanelActions webhook={webhook} onClose={onClose} onEdit={onEdit} />}
    >
      {webhook && <Details key={webhook.id} webhook={webhook} />}
    </SidePanel>
  );
}

function PanelActions({ webhook, onClose, onEdit }: { webhook: Webhook } & Omit<WebhookPanelProps, 'webhook'>) {
  const update = useAction(updateWebhook);
  const removal = useAction(removeWebhook, {
    onSuccess: () => {
      toast.success('The webhook was deleted');
      onClose();
    },
  });
  const isActive = webhook.status === 'active';
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Delete the webhook to ${new URL(webhook.url).host}?`,
      consequence: 'Its pending deliveries will not be sent. This cannot be undone.',
      action: 'Delete webhook',
      danger: true,
    });
    if (isConfirmed) removal.mutate({ params: { id: webhook.id } });
  };
  return (
    <>
      <Allow needs={updateWebhook}>
        <Button variant="default" onClick={() => onEdit(webhook)}>
          Edit webhook
        </Button>
      </Allow>
      <Allow needs={updateWebhook}>
        <Button
          variant="default"
          loading={update.isPending}
          onClick={() =>
            update.mutate({ params: { id: webhook.id }, body: { status: isActive ? 'paused' : 'active' } })
          }
        >
          {isActive ? 'Pause webhook' : 'Resume webhook'}
        </Button>
      </Allow>
      <Allow needs={removeWebhook}>
        <Button variant="default" color="red" loading={removal.isPending} onClick={() => void remove()}>
          Delete webhook
        </Button>
      </Allow>
    </>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const { id, event, events, failing_since, previous_secret_expire_date } = webhook;
  return (
    <>
      <Fields
        fields={[
          { label: 'URL', value: <span className={styles.url}>{webhook.url}</span> },
          { label: 'Events', value: event ? SIMPLE_LABELS[event] : events.join(', ') },
          { label: 'Secret', value: <CopyId value={webhook.secret} label="secret" /> },
          { label: 'Signature header', value: `${webhook.signature_header} (${webhook.signature_encoding})` },
          { label: 'Payload version', value: webhook.payload_version },
          ...(previous_secret_expire_date
            ? [{ label: 'Previous secret used until', value: <DateTime value={previous_secret_expire_date} /> }]
            : []),
          ...(failing_since ? [{ label: 'Failing since', value: <DateTime value={failing_since} /> }] : []),
          { label: 'Pending deliveries', value: String(webhook.pending_count) },
        ]}
      />
      <Tests id={id} />
      {webhook.url.startsWith('https:') && (
        <Suspense fallback={null}>
          <ClientCertificate webhook={webhook} />
        </Suspense>
      )}
      <Deliveries webhook_id={id} />
    </>
  );
}

const RECOVERY_HOURS = 72;

function Tests({ id }: { id: string }) {
  const example = useAction(sendWebhookExample, { onSuccess: () => toast.success('The example is being sent') });
  const recovery = useAction(recoverWebhook, {
    onSuccess: ({ data }) =>
      toast.success(
        data.count === 0
          ? 'No failed deliveries'
          : `Resending ${formatCount(data.count, 'failed delivery', 'failed deliveries')}`,
      ),
  });
  const rotation = useAction(rotateWebhookSecret, {
    onSuccess: () => toast.success('The secret was rotated. For 24 hours, deliveries are signed with both.'),
  });
  const recover = () => {
    const since = new Date(Date.now() - RECOVERY_HOURS * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    recovery.mutate({ params: { id }, body: { since } });
  };
  return (
    <div className={styles.tests}>
      <Buttons>
        <Allow needs={sendWebhookExample}>
          <Button size="xs" variant="default" onClick={() => example.mutate({ params: { id }, body: {} })}>
            Send example
          </Button>
        </Allow>
        <Allow needs={recoverWebhook}>
          <Button size="xs" variant="default" onClick={recover}>
            Resend failed deliveries (last 3 days)
          </Button>
        </Allow>
        <Allow needs={rotateWebhookSecret}>
          <Button size="xs" variant="default" onClick={() => rotation.mutate({ params: { id }, body: {} })}>
            Rotate secret
          </Button>
        </Allow>
      </Buttons>
    </div>
  );
}

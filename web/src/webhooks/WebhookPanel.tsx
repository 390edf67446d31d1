import { Button } from '@mantine/core';
import { removeWebhook, updateWebhook, WEBHOOK_STATUS, type Webhook } from '@parley/contract/webhooks/webhooks.ts';
import { Suspense } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { Deliveries } from './Deliveries.tsx';
import { SIMPLE_LABELS } from './event_labels.ts';
import styles from './Webhooks.module.css';
import { WebhookTools } from './WebhookTools.tsx';

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
  const { event, events, failing_since, previous_secret_expire_date } = webhook;
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
      <WebhookTools webhook={webhook} />
      {webhook.url.startsWith('https:') && (
        <Suspense fallback={null}>
          <ClientCertificate webhook={webhook} />
        </Suspense>
      )}
      <Deliveries webhook={webhook} />
    </>
  );
}

import { Button } from '@mantine/core';
import {
  recoverWebhook,
  rotateWebhookSecret,
  sendWebhookExample,
  type Webhook,
} from '@parley/contract/webhooks/webhooks.ts';
import { Suspense, useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import { ActionItem, ActionMenu } from '../ui/layout/ActionMenu.tsx';
import styles from './Webhooks.module.css';

const RecoveryDialog = lazyPart(() => import('./RecoveryDialog.tsx'));

/** What a developer does with a webhook: test it, resend what failed, and replace its secret. */
export function WebhookTools({ webhook }: { webhook: Webhook }) {
  const { id, url } = webhook;
  const reason = inactiveReason(webhook);
  const [isRecovering, setRecovering] = useState(false);
  const rotation = useAction(rotateWebhookSecret, {
    onSuccess: () => toast.success('The secret was rotated. For 24 hours, deliveries are signed with both.'),
  });
  const rotate = async () => {
    const isConfirmed = await confirm({
      title: `Rotate the secret of ${new URL(url).host}?`,
      consequence: 'For 24 hours, deliveries are signed with both secrets. After that, only with the new one.',
      action: 'Rotate secret',
    });
    if (isConfirmed) rotation.mutate({ params: { id }, body: {} });
  };
  return (
    <div className={styles.tests}>
      <Buttons>
        <ExampleButton webhook={webhook} />
        <Allow needs={recoverWebhook}>
          <Disabled reason={reason}>
            <Button size="xs" variant="default" onClick={() => setRecovering(true)}>
              Resend failed deliveries
            </Button>
          </Disabled>
        </Allow>
        <Allow needs={rotateWebhookSecret}>
          <Button size="xs" variant="default" loading={rotation.isPending} onClick={() => void rotate()}>
            Rotate secret
          </Button>
        </Allow>
      </Buttons>
      {isRecovering && (
        <Suspense fallback={null}>
          <RecoveryDialog id={id} onClose={() => setRecovering(false)} />
        </Suspense>
      )}
    </div>
  );
}

export const inactiveReason = ({ status }: Pick<Webhook, 'status'>): string | null =>
  status === 'active' ? null : 'Resume the webhook first';

/** A webhook with several events offers an example of each. */
function ExampleButton({ webhook }: { webhook: Webhook }) {
  const { id, events } = webhook;
  const reason = inactiveReason(webhook);
  const example = useAction(sendWebhookExample, { onSuccess: () => toast.success('The example is being sent') });
  const send = (body: { event?: string }) => example.mutate({ params: { id }, body });
  const button = { size: 'xs', variant: 'default', loading: example.isPending, children: 'Send example' } as const;
  if (events.length < 2)
    return (
      <Allow needs={sendWebhookExample}>
        <Disabled reason={reason}>
          <Button {...button} onClick={() => send({})} />
        </Disabled>
      </Allow>
    );
  return (
    <ActionMenu
      target={(props) => (
        <Allow needs={sendWebhookExample}>
          <Disabled reason={reason}>
            <Button {...button} {...props} />
          </Disabled>
        </Allow>
      )}
    >
      {events.map((event) => (
        <ActionItem key={event} onClick={() => send({ event })}>
          {event}
        </ActionItem>
      ))}
    </ActionMenu>
  );
}

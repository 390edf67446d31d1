import { Modal, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { createWebhook, updateWebhook, type Webhook } from '@parley/contract/webhooks/webhooks.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter } from '../ui/form/FormParts.tsx';
import { EVENT_OPTIONS, SIMPLE_LABELS } from './event_labels.ts';
import styles from './Webhooks.module.css';

type Kind = 'events' | 'message' | 'delivery';

interface Values extends Record<string, unknown> {
  url: string;
  kind: Kind;
  events: string[];
  secret: string;
  signature_header: string;
  signature_encoding: 'base64' | 'hex';
  server_ca: string;
}

const KINDS = [
  { value: 'events', label: 'Selected events' },
  { value: 'message', label: `${SIMPLE_LABELS.message} (simple format)` },
  { value: 'delivery', label: `${SIMPLE_LABELS.delivery} (simple format)` },
];
const ENCODINGS = [
  { value: 'base64', label: 'Base64' },
  { value: 'hex', label: 'Hexadecimal' },
];

interface WebhookDialogProps {
  /** Null for a new webhook. Undefined closes the dialog. */
  webhook: Webhook | null | undefined;
  onClose: () => void;
}

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  return (
    <Modal opened={webhook !== undefined} onClose={onClose} title={webhook ? 'Edit webhook' : 'Add webhook'} size={560}>
      {webhook !== undefined && <WebhookForm webhook={webhook} onClose={onClose} />}
    </Modal>
  );
}

function toBody({ kind, events, secret, server_ca, ...rest }: Values) {
  const chosen = kind === 'events' ? { events } : { event: kind };
  return { ...rest, ...chosen, server_ca: server_ca.trim() || null, ...(secret.trim() === '' ? {} : { secret }) };
}

const initialValues = (webhook: Webhook | null): Values => ({
  url: webhook?.url ?? '',
  kind: webhook?.event ?? 'events',
  events: webhook?.events ?? ['message.received', 'message.delivered', 'message.failed'],
  secret: '',
  signature_header: webhook?.signature_header ?? 'X-Signature',
  signature_encoding: webhook?.signature_encoding ?? 'base64',
  server_ca: webhook?.server_ca ?? '',
});

function WebhookForm({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const endpoint = (webhook ? updateWebhook : createWebhook) as typeof createWebhook;
  const initial = initialValues(webhook);
  const [kind, setKind] = useState(initial.kind);
  const { form, bind, sending, problem } = useContractForm<typeof createWebhook, Values>(endpoint, {
    initial,
    body: toBody,
    input: (values) =>
      ({ ...(webhook ? { params: { id: webhook.id } } : {}), body: toBody(values) }) as { body: never },
    labels: {
      ...{ url: 'URL', secret: 'Secret', events: 'Events', signature_header: 'Signature header' },
      server_ca: 'Certificate authority',
    },
    onDone: () => {
      toast.success(webhook ? 'The webhook was saved' : 'The webhook was added');
      onClose();
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <Field
        form={form}
        name="url"
        as={TextInput}
        label="URL"
        placeholder="https://example.com/events"
        data-autofocus
      />
      <Field
        form={form}
        name="kind"
        as={Select}
        label="Format"
        data={KINDS}
        allowDeselect={false}
        optional={false}
        onChange={(next: unknown) => setKind((next ?? 'events') as Kind)}
      />
      {kind === 'events' && (
        <Field form={form} name="events" as={MultiSelect} label="Events" data={EVENT_OPTIONS} searchable />
      )}
      <Field
        form={form}
        name="secret"
        as={TextInput}
        label="Secret"
        description={webhook ? 'Leave empty to keep the current secret.' : 'Leave empty to generate a secret.'}
        optional
        autoComplete="off"
        spellCheck={false}
      />
      <SignatureFields form={form} />
      <DialogFooter
        problem={problem}
        sending={sending}
        action={webhook ? 'Save webhook' : 'Add webhook'}
        onClose={onClose}
      />
    </Form>
  );
}

/** How the webhook and its server recognize each other. */
function SignatureFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Field
        form={form}
        name="signature_header"
        as={TextInput}
        label="Signature header"
        description="HMAC-SHA256 of the body. The Standard Webhooks headers are always sent, too."
        optional={false}
      />
      <Field
        form={form}
        name="signature_encoding"
        as={Select}
        label="Signature encoding"
        data={ENCODINGS}
        allowDeselect={false}
        optional={false}
      />
      <Field
        form={form}
        name="server_ca"
        as={Textarea}
        label="Certificate authority"
        description="PEM. Only needed if no public authority has signed the certificate of your server."
        optional
        autosize
        minRows={2}
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

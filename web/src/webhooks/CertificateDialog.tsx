/** Generates the client certificate of a webhook, or takes the user's own. */
import { Modal, Select, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { createWebhookCertificate } from '@parley/contract/webhooks/certificates.ts';
import type { Webhook } from '@parley/contract/webhooks/webhooks.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { brandName } from '../ui/brand.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter } from '../ui/form/FormParts.tsx';
import styles from './Webhooks.module.css';

type Source = 'generated' | 'uploaded';
interface Values extends Record<string, unknown> {
  source: Source;
  certificate: string;
  private_key: string;
}

const SOURCES = [
  { value: 'generated', label: 'Generate a certificate' },
  { value: 'uploaded', label: 'Use your own certificate' },
];

interface CertificateDialogProps {
  webhook: Webhook;
  isOpen: boolean;
  onClose: () => void;
}

export function CertificateDialog({ webhook, isOpen, onClose }: CertificateDialogProps) {
  const title = webhook.client_certificate ? 'Replace client certificate' : 'Add client certificate';
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={560}>
      {isOpen && <CertificateForm webhook={webhook} onClose={onClose} />}
    </Modal>
  );
}

const toBody = ({ source, certificate, private_key }: Values) =>
  source === 'generated' ? {} : { certificate, private_key };

function CertificateForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [source, setSource] = useState<Source>('generated');
  const { form, bind, sending, problem } = useContractForm<typeof createWebhookCertificate, Values>(
    createWebhookCertificate,
    {
      initial: { source: 'generated', certificate: '', private_key: '' },
      body: toBody,
      input: (values) => ({ params: { id: webhook.id }, body: toBody(values) }),
      labels: { certificate: 'Certificate', private_key: 'Private key' },
      onDone: () => {
        toast.success('The client certificate was saved');
        onClose();
      },
    },
  );
  return (
    <Form {...bind} className={styles.form}>
      <Field
        form={form}
        name="source"
        as={Select}
        label="Source"
        data={SOURCES}
        allowDeselect={false}
        optional={false}
        onChange={(next: unknown) => setSource((next ?? 'generated') as Source)}
      />
      {source === 'generated' ? (
        <p className={styles.hint}>
          {brandName()} generates a private key, which never leaves it, and a certificate that is valid for two years.
          Download the certificate and configure your server to trust it.
        </p>
      ) : (
        <PemFields form={form} />
      )}
      {webhook.client_certificate && (
        <p className={styles.hint}>
          The current certificate is replaced immediately. To avoid failed deliveries, pause the webhook until your
          server trusts the new one.
        </p>
      )}
      <DialogFooter problem={problem} sending={sending} action="Save certificate" onClose={onClose} />
    </Form>
  );
}

function PemFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Field
        form={form}
        name="certificate"
        as={Textarea}
        label="Certificate"
        description="PEM, followed by any intermediate certificates."
        optional={false}
        autosize
        minRows={3}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        form={form}
        name="private_key"
        as={Textarea}
        label="Private key"
        description="PEM, without a password. It is stored encrypted and never shown again."
        optional={false}
        autosize
        minRows={3}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

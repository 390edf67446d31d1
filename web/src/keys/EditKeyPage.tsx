import { Button } from '@mantine/core';
import { type ApiKey, getKey, KEY_STATUS, rotateKey, updateKey } from '@parley/contract/keys/keys.ts';
import { IconKey } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { KEYS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Form } from '../ui/form/Form.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import { KeyFields, type KeyValues, keyBody, keyValues, LIMIT_LABELS } from './KeyFields.tsx';
import styles from './Keys.module.css';
import { KeyUsage } from './KeyUsage.tsx';
import { RotateDialog } from './RotateDialog.tsx';
import { useKeyRemoval } from './useKeyRemoval.ts';

export default function EditKeyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getKey, { params: { id } });
  return (
    <RecordPage query={query} noun="API key" icon={IconKey} back={<Back to={KEYS}>API keys</Back>}>
      {(apiKey) => <EditKey key={apiKey.id} apiKey={apiKey} />}
    </RecordPage>
  );
}

function EditKey({ apiKey }: { apiKey: ApiKey }) {
  const navigate = useNavigate();
  const [isRotating, setRotating] = useState(false);
  const { remove, reason } = useKeyRemoval(() => void navigate({ to: KEYS }));
  return (
    <>
      <PageHeader
        title={apiKey.name}
        description={apiKey.key}
        badge={
          <>
            <StatusBadge {...KEY_STATUS[apiKey.state]} /> {apiKey.test && <ToneBadge tone="wait">Test</ToneBadge>}
          </>
        }
        secondary={
          <Disabled reason={reason}>
            <Button variant="default" color="red" onClick={() => void remove(apiKey)}>
              Delete API key
            </Button>
          </Disabled>
        }
        action={
          <Allow needs={rotateKey}>
            <Button variant="default" onClick={() => setRotating(true)}>
              Rotate API key
            </Button>
          </Allow>
        }
      />
      <div className={styles.form}>
        <KeyFacts apiKey={apiKey} />
        <KeyUsage id={apiKey.id} />
        <EditForm apiKey={apiKey} />
      </div>
      <RotateDialog apiKey={isRotating ? apiKey : null} onClose={() => setRotating(false)} />
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { account } = useSession();
  const money = (micros: number) => formatMoney(micros, account.currency);
  const { last_used_date, last_used_address, previous_expire_date, created_by, spend_limit_micros, spent_micros } =
    apiKey;
  return (
    <Fields
      fields={[
        { label: 'Created', value: <DateTime value={apiKey.create_date} /> },
        ...(created_by ? [{ label: 'Created by', value: created_by }] : []),
        { label: 'Last used', value: last_used_date ? <DateTime value={last_used_date} /> : 'Never' },
        ...(last_used_address ? [{ label: 'Last used from', value: last_used_address }] : []),
        ...(spend_limit_micros !== null && spent_micros !== null
          ? [
              {
                label: 'Spent this month',
                value: `${money(spent_micros)} of ${money(spend_limit_micros)}`,
              },
            ]
          : []),
        ...(previous_expire_date
          ? [{ label: 'Previous key valid until', value: <DateTime value={previous_expire_date} /> }]
          : []),
      ]}
    />
  );
}

function EditForm({ apiKey }: { apiKey: ApiKey }) {
  const reason = useReason(updateKey);
  // Remounts the fields that keep their own state after the changes are discarded.
  const [discards, setDiscards] = useState(0);
  const { form, bind, saveBar } = useContractForm<typeof updateKey, KeyValues>(updateKey, {
    initial: keyValues(apiKey),
    body: keyBody,
    input: (values) => ({ params: { id: apiKey.id }, body: keyBody(values) }),
    labels: { name: 'Name', addresses: 'Allowed IP addresses', expire_date: 'Expires', ...LIMIT_LABELS },
    onDone: ({ data }) => toast.success(`The API key “${data.name}” was saved`),
    onDiscard: () => setDiscards((count) => count + 1),
  });
  return (
    <Form {...bind} className={styles.form}>
      <KeyFields key={discards} form={form} permissions={form.getValues().permissions} />
      <SaveBar {...saveBar} save="Save API key" reason={reason} />
    </Form>
  );
}

import { Button } from '@mantine/core';
import { type ApiKey, createKey, SCOPE_PRESETS } from '@parley/contract/keys/keys.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { KEYS } from '../paths.ts';
import { limitTo } from '../team/roles.ts';
import { Form } from '../ui/form/Form.tsx';
import { Buttons, FormFooter } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { KeyFields, type KeyValues, keyBody, LIMIT_LABELS } from './KeyFields.tsx';
import styles from './Keys.module.css';
import { NewKey } from './NewKey.tsx';
import { rememberKey } from './recent_key.ts';

export default function CreateKeyPage() {
  const [created, setCreated] = useState<ApiKey | null>(null);
  return (
    <>
      <Back to={KEYS}>API keys</Back>
      <PageHeader
        title={created ? `“${created.name}” is ready` : 'Create API key'}
        description={created ? undefined : 'Programs use the key to call the API on behalf of your company.'}
      />
      {created ? (
        <div className={styles.form}>
          <NewKey apiKey={created} />
          <Buttons>
            <Button component={Link} to={KEYS}>
              Done
            </Button>
          </Buttons>
        </div>
      ) : (
        <KeyForm onCreated={setCreated} />
      )}
    </>
  );
}

function KeyForm({ onCreated }: { onCreated: (key: ApiKey) => void }) {
  const { permissions: giver, account } = useSession();
  const permissions = limitTo(SCOPE_PRESETS.messages!.permissions, giver);
  const { form, bind, sending, problem } = useContractForm<typeof createKey, KeyValues>(createKey, {
    initial: {
      ...{ name: '', permissions, expire_date: null, addresses: '', test: false },
      ...{ requests_per_second: '', spend_limit: '', approval_recipients: '', approval_spend: '' },
    },
    body: (values) => ({ ...keyBody(values), test: values.test }),
    labels: {
      name: 'Name',
      test: 'Test key',
      addresses: 'Allowed IP addresses',
      expire_date: 'Expires',
      ...LIMIT_LABELS,
    },
    onDone: ({ data }) => {
      rememberKey(account.id, data.key);
      onCreated(data);
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <KeyFields form={form} permissions={permissions} isNew />
      <FormFooter problem={problem}>
        <Allow needs={createKey}>
          <Button type="submit" loading={sending}>
            Create API key
          </Button>
        </Allow>
        <Button variant="default" component={Link} to={KEYS}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}

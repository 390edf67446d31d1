import { Button } from '@mantine/core';
import { createSmppAccount, type SmppAccount } from '@parley/contract/smpp/smpp.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { Allow } from '../kernel/session/allow.tsx';
import styles from '../keys/Keys.module.css';
import { Form } from '../ui/form/Form.tsx';
import { Buttons, FormFooter } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { SMPP_ACCOUNTS } from './addresses.ts';
import { NewCredentials } from './NewCredentials.tsx';
import { NEW_ACCOUNT, SMPP_LABELS, SmppFields, type SmppValues, smppBody } from './SmppFields.tsx';

export function CreateSmppAccountPage() {
  const [created, setCreated] = useState<SmppAccount | null>(null);
  return (
    <>
      <Back to={SMPP_ACCOUNTS}>SMPP accounts</Back>
      <PageHeader
        title={created ? `“${created.name}” is ready` : 'Create SMPP account'}
        description={created ? undefined : 'A program binds with this account to send and receive SMS.'}
      />
      {created ? (
        <div className={styles.form}>
          <NewCredentials account={created} />
          <Buttons>
            <Button component={Link} to={SMPP_ACCOUNTS}>
              Done
            </Button>
          </Buttons>
        </div>
      ) : (
        <AccountForm onCreated={setCreated} />
      )}
    </>
  );
}

function AccountForm({ onCreated }: { onCreated: (account: SmppAccount) => void }) {
  const { form, bind, sending, problem } = useContractForm<typeof createSmppAccount, SmppValues>(createSmppAccount, {
    initial: NEW_ACCOUNT,
    body: smppBody,
    labels: SMPP_LABELS,
    onDone: ({ data }) => onCreated(data),
  });
  return (
    <Form {...bind} className={styles.form}>
      <SmppFields form={form} />
      <FormFooter problem={problem}>
        <Allow needs={createSmppAccount}>
          <Button type="submit" loading={sending}>
            Create SMPP account
          </Button>
        </Allow>
        <Button variant="default" component={Link} to={SMPP_ACCOUNTS}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}

import { Button } from '@mantine/core';
import {
  getSmppAccount,
  removeSmppAccount,
  replaceSmppPassword,
  SMPP_STATUS,
  type SmppAccount,
  updateSmppAccount,
} from '@parley/contract/smpp/smpp.ts';
import { IconPlugConnected } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import styles from '../keys/Keys.module.css';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Form } from '../ui/form/Form.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import { SMPP_ACCOUNTS } from './addresses.ts';
import { ServerFacts } from './NewCredentials.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { Sessions } from './Sessions.tsx';
import { SMPP_LABELS, SmppFields, type SmppValues, smppBody, smppValues } from './SmppFields.tsx';

export function SmppAccountPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getSmppAccount, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="SMPP account"
      icon={IconPlugConnected}
      back={<Back to={SMPP_ACCOUNTS}>SMPP accounts</Back>}
    >
      {(account) => <Account key={account.id} account={account} />}
    </RecordPage>
  );
}

function Account({ account }: { account: SmppAccount }) {
  const [isReplacing, setIsReplacing] = useState(false);
  const { id, status, last_error, last_error_date, previous_expire_date, pending_count, create_date } = account;
  return (
    <>
      <PageHeader
        title={account.name}
        description={account.system_id}
        badge={<StatusBadge {...SMPP_STATUS[status]} />}
        secondary={<Actions account={account} onReplace={() => setIsReplacing(true)} />}
      />
      <div className={styles.newKey}>
        {last_error && last_error_date && (
          <Notice tone="wait">
            Last error: <bdi>{last_error}</bdi>, <DateTime value={last_error_date} />
          </Notice>
        )}
        {previous_expire_date && (
          <Notice tone="info">
            The previous password also works until <DateTime value={previous_expire_date} />
          </Notice>
        )}
        <fieldset className={styles.group}>
          <legend>Sessions</legend>
          <Sessions id={id} />
        </fieldset>
        <div className={styles.form}>
          <ServerFacts account={account} />
          <Fields
            fields={[
              { label: 'Waiting for a session', value: formatNumber(pending_count) },
              { label: 'Created', value: <DateTime value={create_date} /> },
              ...(account.created_by ? [{ label: 'Created by', value: account.created_by }] : []),
            ]}
          />
          <EditForm account={account} />
        </div>
      </div>
      <PasswordDialog account={account} opened={isReplacing} onClose={() => setIsReplacing(false)} />
    </>
  );
}

function Actions({ account, onReplace }: { account: SmppAccount; onReplace: () => void }) {
  const navigate = useNavigate();
  const { id, name } = account;
  const isActive = account.status === 'active';
  const update = useAction(updateSmppAccount);
  const removal = useAction(removeSmppAccount, {
    onSuccess: () => {
      toast.success(`The SMPP account “${name}” was deleted`);
      void navigate({ to: SMPP_ACCOUNTS });
    },
  });
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Delete the SMPP account “${name}”?`,
      consequence: 'Its sessions are unbound, and receipts waiting for them are lost. This cannot be undone.',
      action: 'Delete SMPP account',
      danger: true,
    });
    if (isConfirmed) removal.mutate({ params: { id } });
  };
  return (
    <>
      <Allow needs={updateSmppAccount}>
        <Button
          variant="default"
          loading={update.isPending}
          onClick={() => update.mutate({ params: { id }, body: { status: isActive ? 'paused' : 'active' } })}
        >
          {isActive ? 'Pause SMPP account' : 'Resume SMPP account'}
        </Button>
      </Allow>
      <Allow needs={replaceSmppPassword}>
        <Button variant="default" onClick={onReplace}>
          Replace password
        </Button>
      </Allow>
      <Allow needs={removeSmppAccount}>
        <Button variant="default" color="red" loading={removal.isPending} onClick={() => void remove()}>
          Delete SMPP account
        </Button>
      </Allow>
    </>
  );
}

function EditForm({ account }: { account: SmppAccount }) {
  const reason = useReason(updateSmppAccount);
  const { form, bind, saveBar } = useContractForm<typeof updateSmppAccount, SmppValues>(updateSmppAccount, {
    initial: smppValues(account),
    body: smppBody,
    input: (values) => ({ params: { id: account.id }, body: smppBody(values) }),
    labels: SMPP_LABELS,
    onDone: ({ data }) => toast.success(`The SMPP account “${data.name}” was saved`),
  });
  return (
    <Form {...bind} className={styles.form}>
      <SmppFields form={form} />
      <SaveBar {...saveBar} save="Save SMPP account" reason={reason} />
    </Form>
  );
}

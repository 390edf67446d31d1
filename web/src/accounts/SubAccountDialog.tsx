/** A sub-account, new or known. The owner is named once, when it is made: they get the invitation. */
import { Button, Modal, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { createSubAccount, type SubAccount, updateSubAccount } from '@parley/contract/team/subaccounts.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useSession } from '../kernel/session/session.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../ui/form/CountrySelect.tsx';
import { FormFooter, Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { ZoneSelect } from '../ui/form/ZoneSelect.tsx';
import styles from './Accounts.module.css';

interface CompanyValues {
  company_name: string;
  country_code: string;
  timezone: string;
}

export function SubAccountDialog({ asked, onClose }: { asked: SubAccount | 'new' | null; onClose: () => void }) {
  // The last one stays drawn while the dialog fades out.
  const [shown, setShown] = useState<SubAccount | 'new' | null>(null);
  if (asked && asked !== shown) setShown(asked);
  if (!shown) return null;
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={shown === 'new' ? 'Create sub-account' : `Edit ${shown.company_name}`}
      size={520}
    >
      {asked === 'new' ? <Create onClose={onClose} /> : asked && <Change account={asked} onClose={onClose} />}
    </Modal>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const { form, onSubmit, sending, problem } = useContractForm(createSubAccount, {
    initial: {
      company_name: '',
      country_code: account.country_code,
      timezone: account.timezone,
      first_name: '',
      last_name: '',
      email: '',
    },
    labels: { company_name: 'Company name', country_code: 'Country', timezone: 'Time zone', email: 'E-mail' },
    guard: false,
    onDone: ({ data }) => {
      toast.success(`${data.company_name} was created; ${data.owner_email} gets an invitation`);
      onClose();
    },
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <CompanyFields form={form as never} />
      <p className={styles.part}>Owner</p>
      <Pair>
        <NameFields form={form} required />
      </Pair>
      <TextInput
        label="E-mail"
        description="Gets an invitation. You can enter the sub-account right away without waiting for it."
        type="email"
        required
        autoComplete="off"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <Foot problem={problem} sending={sending} action="Create sub-account" onClose={onClose} />
    </form>
  );
}

function Change({ account, onClose }: { account: SubAccount; onClose: () => void }) {
  const { form, onSubmit, sending, problem } = useContractForm(updateSubAccount, {
    initial: { company_name: account.company_name, country_code: account.country_code, timezone: account.timezone },
    labels: { company_name: 'Company name', country_code: 'Country', timezone: 'Time zone' },
    input: (body) => ({ params: { id: account.id }, body }),
    guard: false,
    onDone: ({ data }) => {
      toast.success(`${data.company_name} was saved`);
      onClose();
    },
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <CompanyFields form={form as never} />
      <Foot problem={problem} sending={sending} action="Save sub-account" onClose={onClose} />
    </form>
  );
}

/** What both forms ask of the company. */
function CompanyFields({
  form,
}: {
  form: Pick<UseFormReturnType<CompanyValues>, 'key' | 'getInputProps' | 'getValues'>;
}) {
  return (
    <>
      <TextInput
        label="Company name"
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        key={form.key('company_name')}
        {...form.getInputProps('company_name')}
      />
      <Pair>
        <CountrySelect
          label="Country"
          required
          key={form.key('country_code')}
          {...form.getInputProps('country_code')}
        />
        <ZoneSelect
          label="Time zone"
          required
          current={form.getValues().timezone}
          key={form.key('timezone')}
          {...form.getInputProps('timezone')}
        />
      </Pair>
    </>
  );
}

interface FootProps {
  problem: string | null;
  sending: boolean;
  action: string;
  onClose: () => void;
}

function Foot({ problem, sending, action, onClose }: FootProps) {
  return (
    <FormFooter problem={problem}>
      <Button type="submit" loading={sending}>
        {action}
      </Button>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
    </FormFooter>
  );
}

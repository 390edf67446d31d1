/** Creates or edits a sub-account. The owner can be set only at creation, and receives an invitation. */
import { Modal, TextInput } from '@mantine/core';
import { createSubAccount, type SubAccount, updateSubAccount } from '@parley/contract/team/subaccounts.ts';
import { useState } from 'react';
import { type ContractForm, useContractForm } from '../kernel/form/form.ts';
import { useSession } from '../kernel/session/session.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../ui/form/CountrySelect.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter, Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { ZoneSelect } from '../ui/form/ZoneSelect.tsx';
import styles from './Accounts.module.css';

/** The sub-account to edit, "new" to create one, or null to close the dialog. */
export type DialogTarget = SubAccount | 'new' | null;

export function SubAccountDialog({ target, onClose }: { target: DialogTarget; onClose: () => void }) {
  // Keeps the last target visible while the dialog fades out.
  const [shown, setShown] = useState<DialogTarget>(null);
  if (target && target !== shown) setShown(target);
  if (!shown) return null;
  return (
    <Modal
      opened={target !== null}
      onClose={onClose}
      title={shown === 'new' ? 'Create sub-account' : `Edit ${shown.company_name}`}
      size={520}
    >
      {target === 'new' ? <CreateForm onClose={onClose} /> : target && <EditForm account={target} onClose={onClose} />}
    </Modal>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const { form, bind, sending, problem } = useContractForm(createSubAccount, {
    initial: {
      company_name: '',
      country_code: account.country_code,
      timezone: account.timezone,
      first_name: '',
      last_name: '',
      email: '',
    },
    labels: { company_name: 'Company name', country_code: 'Country', timezone: 'Time zone', email: 'Email' },
    guard: false,
    onDone: ({ data }) => {
      toast.success(`${data.company_name} was created. An invitation was sent to ${data.owner_email}.`);
      onClose();
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <CompanyFields form={form} />
      <p className={styles.part}>Owner</p>
      <Pair>
        <NameFields form={form} />
      </Pair>
      <Field
        form={form}
        name="email"
        as={TextInput}
        label="Email"
        description="The owner gets an invitation at this address. You can switch to the sub-account right away."
        type="email"
        autoComplete="off"
      />
      <DialogFooter problem={problem} sending={sending} action="Create sub-account" onClose={onClose} />
    </Form>
  );
}

function EditForm({ account, onClose }: { account: SubAccount; onClose: () => void }) {
  const { form, bind, sending, problem } = useContractForm(updateSubAccount, {
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
    <Form {...bind} className={styles.form}>
      <CompanyFields form={form} />
      <DialogFooter problem={problem} sending={sending} action="Save sub-account" onClose={onClose} />
    </Form>
  );
}

/** The company fields, shared by both forms. */
// biome-ignore lint/suspicious/noExplicitAny: both forms have these fields among their values
function CompanyFields({ form }: { form: ContractForm<any>['form'] }) {
  return (
    <>
      <Field
        form={form}
        name="company_name"
        as={TextInput}
        label="Company name"
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Pair>
        <Field form={form} name="country_code" as={CountrySelect} label="Country" />
        <Field form={form} name="timezone" as={ZoneSelect} label="Time zone" current={form.getValues().timezone} />
      </Pair>
    </>
  );
}

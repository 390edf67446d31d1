import { Button } from '@mantine/core';
import { changePassword } from '@parley/contract/auth/sessions.ts';
import { useState } from 'react';
import {
  EMPTY_REAUTHENTICATION,
  REAUTHENTICATION_LABELS,
  ReauthenticationFields,
  type Texts,
  useReauthentication,
} from '../../auth/factors/ReauthenticationFields.tsx';
import { PasswordField } from '../../auth/PasswordField.tsx';
import { useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';

export function PasswordChange() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (open) return <PasswordForm onEnd={() => setOpen(false)} />;
  return (
    <div className={styles.fact}>
      <span className={styles.factText}>{user.has_password ? 'A password is set.' : 'You have no password yet.'}</span>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {user.has_password ? 'Change password' : 'Set password'}
      </Button>
    </div>
  );
}

function PasswordForm({ onEnd }: { onEnd: () => void }) {
  const { user } = useSession();
  const reauthentication = useReauthentication({ always: true });
  const { form, bind, onSubmit, sending, problem } = useContractForm(changePassword, {
    initial: { ...EMPTY_REAUTHENTICATION, password: '' } as Texts,
    body: reauthentication.body,
    input: (values) => ({ body: reauthentication.body(values) }) as CallInput<typeof changePassword>,
    check: (values) => {
      const errors = reauthentication.check(values);
      return { ...errors, current_password: errors.current_password ? 'Current password is required!' : null };
    },
    labels: { ...REAUTHENTICATION_LABELS, current_password: 'Current password', password: 'New password' },
    invalidates: ['users'],
    onDone: () => {
      toast.success('Your password was changed. All other sessions were ended.');
      onEnd();
    },
    onRejected: (error) => {
      if (reauthentication.onRefused(error)) form.clearErrors();
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <ReauthenticationFields
        form={form}
        reauthentication={reauthentication}
        label="Current password"
        autoFocus
        onSubmit={onSubmit}
      />
      <Field form={form} name="password" as={PasswordField} label="New password" autoFocus={!user.has_password} />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          {user.has_password ? 'Change password' : 'Set password'}
        </Button>
        <Button variant="default" onClick={onEnd}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}

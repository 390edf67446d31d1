import { Button } from '@mantine/core';
import { changePassword } from '@parley/contract/sessions.ts';
import { useState } from 'react';
import { PasswordField } from '../../auth/PasswordField.tsx';
import { useContractForm } from '../../kernel/form.ts';
import { useSession } from '../../kernel/session.tsx';
import { PasswordText } from '../../ui/PasswordText.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from '../Settings.module.css';

export function PasswordChange() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (open) return <Fields onEnd={() => setOpen(false)} />;
  return (
    <div className={styles.fact}>
      <span className={styles.factWords}>
        {user.has_password ? 'You have a password.' : 'You have no password yet.'}
      </span>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {user.has_password ? 'Change password' : 'Set a password'}
      </Button>
    </div>
  );
}

function Fields({ onEnd }: { onEnd: () => void }) {
  const { user } = useSession();
  const { form, onSubmit, sending, problem } = useContractForm(changePassword, {
    initial: { current_password: '', password: '' },
    body: ({ current_password, password }) => ({ ...(user.has_password ? { current_password } : {}), password }),
    check: ({ current_password }) => ({
      current_password: user.has_password && !current_password ? 'Current password is required!' : null,
    }),
    labels: { password: 'New password' },
    invalidates: ['users'],
    onDone: () => {
      toast.success('Your password was changed. All other sessions have ended');
      onEnd();
    },
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {user.has_password && (
        <PasswordText
          label="Current password"
          autoComplete="current-password"
          autoFocus
          key={form.key('current_password')}
          {...form.getInputProps('current_password')}
        />
      )}
      <PasswordField
        label="New password"
        autoFocus={!user.has_password}
        key={form.key('password')}
        field={form.getInputProps('password')}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={sending}>
          {user.has_password ? 'Change password' : 'Set password'}
        </Button>
        <Button variant="default" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

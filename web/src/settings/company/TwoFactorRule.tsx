import { Switch } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Settings.module.css';

/** Requires two-factor authentication for all users. The owner re-authenticates to make it optional again. */
export function TwoFactorRule() {
  const { account, user } = useSession();
  const [isReauthenticating, setReauthenticating] = useState(false);
  const missing = useReason(updateAccount.needs);
  const reason = missing ?? (user.is_owner ? null : 'Only the owner can change this.');
  const save = useAction(updateAccount, {
    invalidates: ['users'],
    onSuccess: () => toast.success('Two-factor authentication is now required for all users'),
  });
  const change = async (required: boolean) => {
    setReauthenticating(!required);
    if (!required) return;
    const confirmed = await confirm({
      title: 'Require two-factor authentication for all users?',
      consequence: user.second_factor
        ? 'Anyone without it must set it up before they can continue.'
        : 'Anyone without it, including you, must set it up before they can continue.',
      action: 'Require two-factor authentication',
    });
    if (confirmed) save.mutate({ body: { second_factor_required: true } });
  };
  return (
    <div className={styles.form}>
      <Switch
        label="Require two-factor authentication"
        description={reason ?? 'An authenticator app or a passkey, in addition to the password.'}
        checked={account.second_factor_required}
        disabled={reason !== null || save.isPending}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {isReauthenticating && account.second_factor_required && (
        <ReauthenticationForm
          endpoint={updateAccount}
          action="Make optional"
          strict
          input={(body) => ({ body: { ...body, second_factor_required: false } })}
          invalidates={['users']}
          onDone={() => {
            toast.success('Two-factor authentication is now optional');
            setReauthenticating(false);
          }}
          onCancel={() => setReauthenticating(false)}
        />
      )}
    </div>
  );
}

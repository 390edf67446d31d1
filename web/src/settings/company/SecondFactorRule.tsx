import { Switch } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Settings.module.css';

/** Whoever has no second factor can do nothing but set one up once this is on; whoever turns it off proves who they are. */
export function SecondFactorRule() {
  const { account, user } = useSession();
  const [proving, setProving] = useState(false);
  const missing = useReason(updateAccount.needs);
  const closed = missing ?? (user.is_owner ? null : 'Only the owner decides this.');
  const save = useAction(updateAccount, {
    invalidates: ['users'],
    onSuccess: () => toast.success('Everybody needs a second factor now'),
  });
  const turn = async (required: boolean) => {
    setProving(!required);
    if (!required) return;
    const yes = await confirm({
      title: 'Require a second factor of everybody?',
      consequence: user.second_factor
        ? 'Whoever has none can do nothing else until it is set up, from their next click on.'
        : 'You have none yourself: setting it up is the next thing you will be asked for.',
      action: 'Require it',
    });
    if (yes) save.mutate({ body: { second_factor_required: true } });
  };
  return (
    <div className={styles.form}>
      <Switch
        label="Require a second factor"
        description={closed ?? 'An authenticator app or a passkey, beside the password.'}
        checked={account.second_factor_required}
        disabled={closed !== null || save.isPending}
        onChange={(event) => void turn(event.currentTarget.checked)}
      />
      {proving && account.second_factor_required && (
        <ReauthenticationForm
          endpoint={updateAccount}
          action="Leave it to everybody"
          strict
          input={(body) => ({ body: { ...body, second_factor_required: false } })}
          invalidates={['users']}
          onDone={() => {
            toast.success('A second factor is everybody’s choice now');
            setProving(false);
          }}
          onCancel={() => setProving(false)}
        />
      )}
    </div>
  );
}

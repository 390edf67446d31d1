import { Button, TextInput } from '@mantine/core';
import { listPasskeys, type Passkey, removePasskey } from '@parley/contract/second_factors.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { addPasskey, hasPasskeys } from '../../auth/passkey.ts';
import { ApiError } from '../../kernel/client.ts';
import { queryClient, useAction, useEndpoint } from '../../kernel/query.ts';
import { useSession } from '../../kernel/session.tsx';
import { confirm } from '../../ui/Confirm.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { Disabled } from '../../ui/Disabled.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PasswordText } from '../../ui/PasswordText.tsx';
import { BoneLines } from '../../ui/Skeletons.tsx';
import { toast } from '../../ui/Toasts.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

const CHANGED = ['second_factors', 'users', 'sessions'] as const;

export function Passkeys() {
  const passkeys = useEndpoint(listPasskeys);
  const [adding, setAdding] = useState(false);
  const remove = useAction(removePasskey, {
    invalidates: CHANGED,
    onSuccess: () => toast.success('The passkey was removed'),
  });
  const ask = async ({ id, name }: Passkey) => {
    const sure = await confirm({
      title: `Remove the passkey ${name}?`,
      loses: 'It no longer signs you in. The device may still offer it; remove it there as well.',
      action: 'Remove passkey',
    });
    if (sure) remove.mutate({ params: { id } });
  };
  if (passkeys.error)
    return (
      <ErrorState title="Your passkeys could not be loaded" onRetry={() => void passkeys.refetch()}>
        {passkeys.error.message}
      </ErrorState>
    );
  if (!passkeys.data) return <BoneLines lines={2} />;
  const list = passkeys.data.data;
  return (
    <>
      {list.length > 0 && (
        <ul className={settings.rows} aria-label="Passkeys">
          {list.map((passkey) => (
            <li key={passkey.id}>
              <IconFingerprint size={18} stroke={1.6} aria-hidden className={styles.icon} />
              <span className={settings.rowWords}>
                <span className={settings.rowName}>{passkey.name}</span>
                <span className={styles.rowLine}>
                  Added <DateTime value={passkey.create_date} show="date" />
                  {passkey.last_used_date ? (
                    <>
                      , last used <DateTime value={passkey.last_used_date} />
                    </>
                  ) : (
                    ', not used yet'
                  )}
                </span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => void ask(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding ? (
        <AddForm onEnd={() => setAdding(false)} />
      ) : (
        <div className={settings.fact}>
          <span className={settings.factWords}>{list.length === 0 && 'You have no passkeys yet.'}</span>
          <Disabled reason={hasPasskeys() ? null : 'This browser or this address does not support passkeys.'}>
            <Button variant="default" size="xs" onClick={() => setAdding(true)}>
              Add a passkey
            </Button>
          </Disabled>
        </div>
      )}
    </>
  );
}

/** How a person would call this device. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const found = (
    [
      [/iPhone/, 'iPhone'],
      [/iPad/, 'iPad'],
      [/Android/, 'Android'],
      [/Windows/, 'Windows'],
      [/Mac OS X/, 'Mac'],
      [/CrOS/, 'Chromebook'],
      [/Linux/, 'Linux'],
    ] as const
  ).find(([pattern]) => pattern.test(agent));
  return found ? `My ${found[1]}` : 'My device';
}

/** Not a form of one endpoint: a challenge, the browser's own question, and its answer. */
function AddForm({ onEnd }: { onEnd: () => void }) {
  const { user } = useSession();
  const [name, setName] = useState(deviceName);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ name?: string; password?: string; other?: string }>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = {
      ...(name.trim() ? {} : { name: 'Name is required!' }),
      ...(user.has_password && !password ? { password: 'Password is required!' } : {}),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      const added = await addPasskey(name.trim(), user.has_password ? password : undefined);
      if (added) {
        await Promise.all(CHANGED.map((module) => queryClient.invalidateQueries({ queryKey: [module] })));
        toast.success('The passkey was added');
        return onEnd();
      }
      setErrors({ other: 'The passkey was not made: it was canceled, or the device refused.' });
    } catch (error) {
      const words = error instanceof Error ? error.message : 'The passkey could not be made. Try again.';
      const field = error instanceof ApiError ? error.errors[0]?.field : undefined;
      setErrors(field === 'current_password' ? { password: words } : { other: words });
    }
    setBusy(false);
  };
  return (
    <form className={settings.form} aria-label="Add a passkey" onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="Name"
        description="To tell it from others later."
        maxLength={45}
        autoFocus
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {user.has_password && (
        <PasswordText
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={errors.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {errors.other && (
        <p className={settings.problem} role="alert">
          {errors.other}
        </p>
      )}
      <div className={settings.buttons}>
        <Button type="submit" loading={busy}>
          Add passkey
        </Button>
        <Button variant="default" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

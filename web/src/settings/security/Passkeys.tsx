import { Button, TextInput } from '@mantine/core';
import {
  createPasskeyChallenge,
  listPasskeys,
  type Passkey,
  removePasskey,
} from '@parley/contract/auth/second_factors.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { addPasskey, hasPasskeys } from '../../auth/factors/passkey.ts';
import { isReauthenticationRequired } from '../../auth/factors/ReauthenticationFields.tsx';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import type { ApiResponse } from '../../kernel/http/client.ts';
import { queryClient, toastError, useAction, useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

const CHANGED = ['second_factors', 'users', 'sessions'] as const;

export function Passkeys() {
  const passkeys = useEndpoint(listPasskeys);
  const [adding, setAdding] = useState(false);
  const [proving, setProving] = useState<Passkey | null>(null);
  const list = passkeys.data?.data ?? [];
  const removed = () => {
    toast.success('The passkey was removed');
    setProving(null);
  };
  const remove = useAction(removePasskey, {
    invalidates: CHANGED,
    onSuccess: removed,
    onError: (error, { params }) =>
      isReauthenticationRequired(error)
        ? setProving(list.find(({ id }) => id === params.id) ?? null)
        : toastError(error),
  });
  const ask = async ({ id, name }: Passkey) => {
    const sure = await confirm({
      title: `Remove the passkey ${name}?`,
      consequence: 'It no longer signs you in. The device may still offer it; remove it there as well.',
      action: 'Remove passkey',
    });
    if (sure) remove.mutate({ params: { id }, body: {} });
  };
  if (passkeys.error)
    return (
      <ErrorState title="Your passkeys could not be loaded" onRetry={() => void passkeys.refetch()}>
        {passkeys.error.message}
      </ErrorState>
    );
  if (!passkeys.data) return <SkeletonLines lines={2} />;
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
      {proving && (
        <>
          <p className={settings.hint}>You signed in a while ago. Confirm that it is you to remove {proving.name}.</p>
          <ReauthenticationForm
            key={proving.id}
            endpoint={removePasskey}
            action="Remove passkey"
            danger
            required
            input={(body) => ({ params: { id: proving.id }, body })}
            invalidates={CHANGED}
            onDone={removed}
            onCancel={() => setProving(null)}
          />
        </>
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

/** The proof opens a challenge; then the browser asks its own question. */
function AddForm({ onEnd }: { onEnd: () => void }) {
  const [name, setName] = useState(deviceName);
  const add = async (challenge: ApiResponse<typeof createPasskeyChallenge>['data']) => {
    try {
      if (await addPasskey(name.trim(), challenge)) {
        await Promise.all(CHANGED.map((module) => queryClient.invalidateQueries({ queryKey: [module] })));
        toast.success('The passkey was added');
        return onEnd();
      }
      toast.error('The passkey was not made: it was canceled, or the device refused.');
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <ReauthenticationForm
      endpoint={createPasskeyChallenge}
      action="Add passkey"
      initial={{ name }}
      input={({ name: _, ...body }) => ({ body })}
      check={() => ({ name: name.trim() ? null : 'Name is required!' })}
      fields={(form) => {
        const field = form.getInputProps('name');
        return (
          <TextInput
            label="Name"
            description="To tell it from others later."
            maxLength={45}
            autoFocus
            key={form.key('name')}
            {...field}
            onChange={(event) => {
              setName(event.currentTarget.value);
              field.onChange(event);
            }}
          />
        );
      }}
      onDone={({ data }) => void add(data)}
      onCancel={onEnd}
    />
  );
}

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
import { Field } from '../../ui/form/Field.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

const INVALIDATES = ['second_factors', 'users', 'sessions'] as const;

export function Passkeys() {
  const passkeys = useEndpoint(listPasskeys);
  const [isAdding, setAdding] = useState(false);
  // The passkey whose removal is waiting for re-authentication.
  const [pending, setPending] = useState<Passkey | null>(null);
  if (passkeys.error)
    return (
      <ErrorState title="Your passkeys could not be loaded" onRetry={() => void passkeys.refetch()}>
        {passkeys.error.message}
      </ErrorState>
    );
  if (!passkeys.data) return <SkeletonLines lines={2} />;
  const list = passkeys.data.data;
  return (
    <>
      {list.length > 0 && (
        <ul className={settings.rows} aria-label="Passkeys">
          {list.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onProofRequired={() => setPending(passkey)}
              onRemoved={() => setPending(null)}
            />
          ))}
        </ul>
      )}
      {pending && <RemoveForm key={pending.id} passkey={pending} onEnd={() => setPending(null)} />}
      {isAdding ? (
        <AddForm onEnd={() => setAdding(false)} />
      ) : (
        <div className={settings.fact}>
          <span className={settings.factText}>{list.length === 0 && 'You have no passkeys yet.'}</span>
          <Disabled reason={hasPasskeys() ? null : 'Passkeys are not supported in this browser or at this URL.'}>
            <Button variant="default" size="xs" onClick={() => setAdding(true)}>
              Add a passkey
            </Button>
          </Disabled>
        </div>
      )}
    </>
  );
}

const REMOVED = 'The passkey was removed';

interface PasskeyRowProps {
  passkey: Passkey;
  onProofRequired: () => void;
  onRemoved: () => void;
}

function PasskeyRow({ passkey, onProofRequired, onRemoved }: PasskeyRowProps) {
  const { id, name, create_date, last_used_date } = passkey;
  const remove = useAction(removePasskey, {
    invalidates: INVALIDATES,
    onSuccess: () => {
      toast.success(REMOVED);
      onRemoved();
    },
    onError: (error) => (isReauthenticationRequired(error) ? onProofRequired() : toastError(error)),
  });
  const confirmRemove = async () => {
    const confirmed = await confirm({
      title: `Remove the passkey ${name}?`,
      consequence:
        'You will no longer be able to sign in with it. Remove it from the device, too. Otherwise, the device may ' +
        'still offer it.',
      action: 'Remove passkey',
    });
    if (confirmed) remove.mutate({ params: { id }, body: {} });
  };
  return (
    <li>
      <IconFingerprint size={18} stroke={1.6} aria-hidden className={styles.icon} />
      <span className={settings.rowText}>
        <span className={settings.rowName}>{name}</span>
        <span className={styles.rowDetail}>
          Added <DateTime value={create_date} show="date" />
          {last_used_date ? (
            <>
              , last used <DateTime value={last_used_date} />
            </>
          ) : (
            ', not used yet'
          )}
        </span>
      </span>
      <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={() => void confirmRemove()}>
        Remove
      </Button>
    </li>
  );
}

/** Removes a passkey after the user re-authenticates. */
function RemoveForm({ passkey: { id, name }, onEnd }: { passkey: Passkey; onEnd: () => void }) {
  return (
    <>
      <p className={settings.hint}>You signed in a while ago. Confirm it’s you to remove {name}.</p>
      <ReauthenticationForm
        endpoint={removePasskey}
        action="Remove passkey"
        danger
        required
        input={(body) => ({ params: { id }, body })}
        invalidates={INVALIDATES}
        onDone={() => {
          toast.success(REMOVED);
          onEnd();
        }}
        onCancel={onEnd}
      />
    </>
  );
}

const DEVICES = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const;

/** The suggested name for a new passkey, such as "My iPhone". */
function deviceName(): string {
  const device = DEVICES.find(([pattern]) => pattern.test(navigator.userAgent));
  return device ? `My ${device[1]}` : 'My device';
}

/** Re-authentication returns a challenge; the browser then creates the passkey. */
function AddForm({ onEnd }: { onEnd: () => void }) {
  const [name, setName] = useState(deviceName);
  const add = async (challenge: ApiResponse<typeof createPasskeyChallenge>['data']) => {
    try {
      if (await addPasskey(name.trim(), challenge)) {
        await Promise.all(INVALIDATES.map((module) => queryClient.invalidateQueries({ queryKey: [module] })));
        toast.success('The passkey was added');
        return onEnd();
      }
      toast.error('The passkey was not created. The request was canceled or the device declined it. Try again.');
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
      check={(values) => ({ name: values.name?.trim() ? null : 'Name is required!' })}
      fields={(form) => (
        <Field
          form={form}
          name="name"
          as={TextInput}
          label="Name"
          description="Helps you recognize the passkey later."
          maxLength={45}
          autoFocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      onDone={({ data }) => void add(data)}
      onCancel={onEnd}
    />
  );
}

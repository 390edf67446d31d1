/** Notifications on the user's devices, even while Parley is closed. */

import { Button, Checkbox } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import {
  createPushDevice,
  getPushSettings,
  listPushDevices,
  type PushDevice,
  type PushSettings,
  removePushDevice,
  updatePushSettings,
} from '@parley/contract/push/push.ts';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { SOUND_KEY } from '../../inbox/watch/sound.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { isTime } from '../../ui/form/dates/date_text.ts';
import styles from '../Settings.module.css';
import { DigestPart } from './DigestPart.tsx';
import { type PushState, readPushState, subscribe, unsubscribe } from './push.ts';
import { ViewsPart } from './ViewsPart.tsx';

/** A default export, because it loads after the page. */
export default function PushPart() {
  const settings = useEndpoint(getPushSettings);
  const devices = useEndpoint(listPushDevices);
  const failed = settings.error ? settings : devices.error ? devices : null;
  if (failed)
    return (
      <ErrorState title="Your notification settings could not be loaded" onRetry={() => void failed.refetch()}>
        {failed.error?.message}
      </ErrorState>
    );
  if (!settings.data || !devices.data) return <SkeletonLines lines={4} />;
  return (
    <>
      <ThisDevice public_key={settings.data.data.public_key} devices={devices.data.data} />
      <Devices devices={devices.data.data} />
      <Kinds settings={settings.data.data} />
      <Sound />
      <QuietHours settings={settings.data.data} />
      <DigestPart />
      <ViewsPart />
    </>
  );
}

function ThisDevice({ public_key, devices }: { public_key: string; devices: readonly PushDevice[] }) {
  const [state, setState] = useState<PushState | null>(null);
  const [isBusy, setBusy] = useState(false);
  const add = useAction(createPushDevice, {
    onSuccess: () => toast.success('Notifications turned on for this device'),
  });
  useEffect(() => {
    void readPushState().then(setState);
  }, []);
  if (state === null) return <SkeletonLines lines={1} />;
  if (state === 'unsupported')
    return (
      <Notice tone="info">
        This browser does not support notifications. On an iPhone or iPad, add {brandName()} to the home screen first.
      </Notice>
    );
  if (state === 'denied')
    return <Notice tone="wait">This browser blocks notifications. Allow them for this site in its settings.</Notice>;
  if (state === 'on' && devices.some(({ current }) => current)) return null;
  const turnOn = async () => {
    setBusy(true);
    try {
      const subscription = await subscribe(public_key);
      if (subscription) await add.mutateAsync({ body: subscription }).catch(() => unsubscribe());
    } catch {
      toast.error('This browser could not turn on notifications. Try again later.');
    }
    setState(await readPushState());
    setBusy(false);
  };
  return (
    <div>
      <Button leftSection={<IconBell size={16} aria-hidden />} loading={isBusy} onClick={() => void turnOn()}>
        Turn on for this device
      </Button>
    </div>
  );
}

function Devices({ devices }: { devices: readonly PushDevice[] }) {
  const remove = useAction(removePushDevice, {
    onSuccess: () => toast.success('Notifications turned off for the device'),
  });
  if (devices.length === 0) return <p className={styles.hint}>No devices receive notifications yet.</p>;
  const turnOff = async ({ id, current }: PushDevice) => {
    if (current) await unsubscribe().catch(() => {});
    remove.mutate({ params: { id } });
  };
  return (
    <ul className={styles.rows} aria-label="Devices">
      {devices.map((device) => (
        <li key={device.id}>
          <span className={styles.rowText}>
            <span className={styles.rowName}>{device.name}</span>
            <span className={styles.hint}>
              {device.current ? 'This device, added ' : 'Added '}
              <DateTime value={device.create_date} />
            </span>
          </span>
          <Button variant="default" size="sm" onClick={() => void turnOff(device)}>
            Turn off
          </Button>
        </li>
      ))}
    </ul>
  );
}

const KINDS = [
  { key: 'new_messages', label: 'New messages', description: 'In all conversations that you can view.' },
  { key: 'assignments', label: 'Assignments', description: 'When a conversation is assigned to you.' },
  { key: 'mentions', label: 'Mentions', description: 'When a note mentions you.' },
] as const;

function Kinds({ settings }: { settings: PushSettings }) {
  const save = useAction(updatePushSettings);
  return (
    <div className={styles.form}>
      <p className={styles.hint}>Notify me about</p>
      {KINDS.map(({ key, label, description }) => (
        <Checkbox
          key={key}
          label={label}
          description={description}
          checked={settings[key]}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ body: { [key]: event.currentTarget.checked } })}
        />
      ))}
    </div>
  );
}

function Sound() {
  const [isOn, setOn] = useLocalStorage({ key: SOUND_KEY, defaultValue: false, getInitialValueInEffect: false });
  return (
    <Checkbox
      label="Play a sound on this device"
      description={`When a message for you or an unassigned one arrives while ${brandName()} is open.`}
      checked={isOn}
      onChange={(event) => setOn(event.currentTarget.checked)}
    />
  );
}

const USUAL = { from: '20:00', until: '08:00' };

function QuietHours({ settings }: { settings: PushSettings }) {
  const { account } = useSession();
  const save = useAction(updatePushSettings);
  const hours = settings.quiet_hours;
  const change = (next: PushSettings['quiet_hours']) => {
    if (next === null || next.from !== next.until) save.mutate({ body: { quiet_hours: next } });
  };
  return (
    <div className={styles.form}>
      <Checkbox
        label="Quiet hours"
        description={`No notifications during these hours (time zone ${account.timezone}).`}
        checked={hours !== null}
        disabled={save.isPending}
        onChange={(event) => change(event.currentTarget.checked ? USUAL : null)}
      />
      {hours && (
        <>
          <DateField
            kind="time"
            label="Quiet from"
            value={hours.from}
            onChange={(from) => isTime(from) && change({ ...hours, from })}
          />
          <DateField
            kind="time"
            label="Quiet until"
            value={hours.until}
            onChange={(until) => isTime(until) && change({ ...hours, until })}
          />
        </>
      )}
    </div>
  );
}

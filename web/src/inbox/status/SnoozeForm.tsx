import { Button } from '@mantine/core';
import { MAX_SNOOZE_DAYS } from '@parley/contract/inbox/statuses.ts';
import { useState } from 'react';
import { fromLocal, toLocal } from '../../ui/controls/local_time.ts';
import { useZone } from '../../ui/data/zone.ts';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import styles from './SnoozeForm.module.css';

/** Snoozes a conversation until a time of the user's choice. A default export, because it is loaded lazily. */
export default function SnoozeForm({ now, onSnooze }: { now: Date; onSnooze: (until: Date) => void }) {
  const zone = useZone();
  const [local, setLocal] = useState('');
  const until = fromLocal(local, zone);
  const latest = now.getTime() + MAX_SNOOZE_DAYS * 86_400_000;
  const isValid = until !== null && until.getTime() > Date.now() && until.getTime() <= latest;
  return (
    <form
      className={styles.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (until && isValid) onSnooze(until);
      }}
    >
      <DateField
        kind="datetime"
        size="xs"
        label="Date and time"
        value={local}
        min={toLocal(now, zone)}
        onChange={setLocal}
        error={local !== '' && !isValid ? 'Choose a time in the future, at most 366 days from now' : undefined}
      />
      <Button type="submit" size="xs" variant="default" disabled={!isValid}>
        Snooze
      </Button>
    </form>
  );
}

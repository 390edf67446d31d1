import { Button } from '@mantine/core';
import { MAX_SNOOZE_DAYS } from '@parley/contract/inbox/statuses.ts';
import { useState } from 'react';
import { fromLocal, toLocal } from '../../ui/controls/local_time.ts';
import { formatDateTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import styles from './TimeForm.module.css';

interface Props {
  now: Date;
  /** The word on the button. */
  verb: string;
  label?: string;
  /** No later time can be chosen. */
  until?: Date | null;
  onChoose: (at: Date) => void;
}

/** A time of the user's choice. A default export, because it is loaded lazily. */
export default function TimeForm({ now, verb, label = 'Date and time', until = null, onChoose }: Props) {
  const zone = useZone();
  const [local, setLocal] = useState('');
  const at = fromLocal(local, zone);
  const latest = until?.getTime() ?? now.getTime() + MAX_SNOOZE_DAYS * 86_400_000;
  const isValid = at !== null && at.getTime() > Date.now() && at.getTime() <= latest;
  const limit = until ? `before ${formatDateTime(until, zone)}` : 'at most 366 days from now';
  return (
    <form
      className={styles.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (at && isValid) onChoose(at);
      }}
    >
      <DateField
        kind="datetime"
        size="xs"
        label={label}
        value={local}
        min={toLocal(now, zone)}
        onChange={setLocal}
        error={local !== '' && !isValid ? `Choose a time in the future, ${limit}` : undefined}
      />
      <Button type="submit" size="xs" variant="default" disabled={!isValid}>
        {verb}
      </Button>
    </form>
  );
}

/** The times at which a reply can be sent, and a field for any other. A default export, loaded when it opens. */
import { useState } from 'react';
import { offsetName } from '../../ui/controls/local_time.ts';
import { formatDateTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import styles from '../status/Status.module.css';
import { snoozeTimes } from '../status/snooze_times.ts';
import TimeForm from '../status/TimeForm.tsx';

interface Props {
  /** The word on the button that confirms a time of the user's choice. */
  verb: string;
  /** The end of the session, after which the reply could not be sent. */
  until?: Date | null;
  onChoose: (at: Date) => void;
}

export default function SendTimes({ verb, until = null, onChoose }: Props) {
  const zone = useZone();
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now, zone).filter(({ at }) => until === null || at < until);
  return (
    <>
      {until && <p className={styles.limit}>The session closes on {formatDateTime(until, zone)}.</p>}
      <ul className={styles.items}>
        {times.map(({ label, at }) => (
          <li key={label}>
            <button type="button" className={styles.choice} onClick={() => onChoose(at)}>
              <span>{label}</span>
              <span className={styles.hint}>{formatDateTime(at, zone)}</span>
            </button>
          </li>
        ))}
      </ul>
      <TimeForm
        now={now}
        verb={verb}
        label={`Date and time (${offsetName(now, zone)})`}
        until={until}
        onChoose={onChoose}
      />
    </>
  );
}

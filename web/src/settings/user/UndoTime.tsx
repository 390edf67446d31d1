import { useState } from 'react';
import { readUndoSeconds, saveUndoSeconds, UNDO_TIMES } from '../../inbox/thread/undo_time.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import styles from '../Settings.module.css';

const TIMES = UNDO_TIMES.map((seconds) => ({ value: String(seconds), label: seconds === 0 ? 'Off' : `${seconds} s` }));

/** How long the replies of this device can be undone. */
export function UndoTime() {
  const [seconds, setSeconds] = useState(readUndoSeconds);
  const choose = (value: string) => {
    saveUndoSeconds(Number(value));
    setSeconds(Number(value));
  };
  return (
    <div className={styles.choice}>
      <span>Time to undo</span>
      <Segments aria-label="Time to undo" value={String(seconds)} onChange={choose} data={TIMES} />
    </div>
  );
}

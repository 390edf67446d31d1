import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatDuration, formatExact, instant } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import styles from './Status.module.css';

const EVERY_MS = 30_000;

/** The current time, updated while a clock is shown. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Math.max(now, Date.now());
}

/** How long a person has been waiting for a reply: "Waiting 12 min", or "12 min" if `brief`. */
export function Waiting({ since, brief = false }: { since: string | null; brief?: boolean }) {
  const zone = useZone();
  const now = useNow(since !== null);
  if (since === null) return null;
  const seconds = Math.max(0, (now - instant(since).getTime()) / 1000);
  return (
    <Tooltip label={`Waiting for a reply since ${formatExact(since, zone)}`}>
      <span className={styles.waiting}>
        <IconClock size={13} aria-hidden />
        {!brief && 'Waiting '}
        {waitingText(seconds)}
      </span>
    </Tooltip>
  );
}

const DAY_S = 86_400;

/** The waiting time in a list, without its small parts: "< 1 min", "2 h", "3 days". */
export function waitingText(seconds: number): string {
  if (seconds < 60) return '< 1 min';
  if (seconds >= 2 * DAY_S) return `${Math.floor(seconds / DAY_S)} days`;
  return formatDuration(seconds >= 3_600 ? Math.floor(seconds / 3_600) * 3_600 : seconds);
}

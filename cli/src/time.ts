/** Times that users enter, and waits that can be interrupted. */
import { usageError } from './problems.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `30m`, `2h`, `1d`, `now`, or a time in UTC, and returns the API's format. */
export function readTime(text: string, now = Date.now()): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const iso = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?Z?$/.test(text);
  const time =
    text === 'now'
      ? now
      : amount
        ? now - Number(amount) * UNITS[unit]!
        : iso
          ? Date.parse(`${text.replace(' ', 'T').replace(/Z$/, '')}${text.length > 10 ? 'Z' : ''}`)
          : Number.NaN;
  if (Number.isNaN(time))
    throw usageError(`${JSON.stringify(text)} is not a time. Examples: 30m, 2h, 2027-01-31 09:00`);
  return new Date(time).toISOString().slice(0, 23).replace('T', ' ');
}

/** Resolves early if the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

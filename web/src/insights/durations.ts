import { formatNumber } from '../ui/data/format.ts';

/** Seconds as "1.4 s", "3 min", "2.5 h", or "3.2 days". */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${formatNumber(Math.round(seconds * 10) / 10)} s`;
  if (seconds < 3_600) return `${formatNumber(Math.round(seconds / 6) / 10)} min`;
  if (seconds < 172_800) return `${formatNumber(Math.round(seconds / 360) / 10)} h`;
  return `${formatNumber(Math.round(seconds / 8_640) / 10)} days`;
}

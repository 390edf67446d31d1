/** What the dashboard says about messages: figures against the same time before, and rows of a chart. Pure. */
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import type { ChartSeries } from '../ui/data/chart/Chart.tsx';
import type { ChartRow } from '../ui/data/chart/csv.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

export const parsePeriod = (text: string | undefined): Period => PERIODS.find((days) => String(days) === text) ?? 7;

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** "+12%"; null when there is nothing to compare with. */
export function changeWords(now: number, before: number): string | null {
  if (before === 0) return null;
  return percent.format((now - before) / before);
}

export type Question = 'outgoing' | 'incoming' | 'spend';

export const SERIES: Readonly<Record<Question, readonly ChartSeries[]>> = {
  outgoing: [
    { key: 'delivered', label: 'Delivered', color: 'var(--ok-mark)' },
    { key: 'open', label: 'No report yet', color: 'var(--flight-mark)' },
    { key: 'failed', label: 'Failed', color: 'var(--fail-mark)' },
  ],
  incoming: [{ key: 'received', label: 'Received', color: 'var(--accent)' }],
  spend: [{ key: 'spend_micros', label: 'Spend', color: 'var(--accent)' }],
};

/** A day reads `21-11`: the year is known. */
const dayLabel = (date: string): string => `${date.slice(8, 10)}-${date.slice(5, 7)}`;

export const toChartRows = (days: Dashboard['days']): ChartRow[] =>
  days.map(({ date, sent, delivered, failed, received, spend_micros }) => ({
    day: dayLabel(date),
    delivered,
    failed,
    open: Math.max(0, sent - delivered - failed),
    received,
    spend_micros,
  }));

/** Shares of the channels, the largest first; none with a single channel, which would only repeat the total. */
export function shares(channels: Dashboard['channels']): { channel: string; count: number; part: number }[] {
  const counted = channels.map(({ channel, sent, received }) => ({ channel, count: sent + received }));
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return counted
    .map(({ channel, count }) => ({ channel, count, part: total === 0 ? 0 : count / total }))
    .sort((a, b) => b.count - a.count);
}

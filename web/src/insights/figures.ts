/** Figures of the charts and the dashboard: changes from the previous period, and rows of charts. Pure functions. */
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import type { ChartSeries } from '../ui/data/chart/chart_props.ts';
import type { ChartRow } from '../ui/data/chart/csv.ts';
import { formatDayMonth } from '../ui/data/format.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

export const parsePeriod = (text: string | undefined): Period => PERIODS.find((days) => String(days) === text) ?? 7;

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** The change as "+12%"; null if there is no previous value. */
export function formatChange(now: number, before: number): string | null {
  if (before === 0) return null;
  return percent.format((now - before) / before);
}

export type Question = 'outgoing' | 'incoming' | 'spend';

export const SERIES: Readonly<Record<Question, readonly ChartSeries[]>> = {
  outgoing: [
    { key: 'delivered', label: MESSAGE_GROUPS.delivered.label, color: 'var(--ok-mark)' },
    { key: 'open', label: MESSAGE_GROUPS.pending.label, color: 'var(--flight-mark)' },
    { key: 'failed', label: MESSAGE_GROUPS.undelivered.label, color: 'var(--fail-mark)' },
  ],
  incoming: [{ key: 'received', label: MESSAGE_GROUPS.answered.label, color: 'var(--accent)' }],
  spend: [{ key: 'spend_micros', label: 'Spend', color: 'var(--accent)' }],
};

/** The messages that each series counts, as filters of the message log. */
export const SERIES_FIGURES: Readonly<
  Record<string, (typeof FIGURES)[keyof typeof FIGURES] | { direction: 'MT'; statuses: string[] }>
> = {
  delivered: FIGURES.delivered,
  open: { direction: 'MT', statuses: ['pending'] },
  failed: FIGURES.failed,
  received: FIGURES.received,
  spend_micros: FIGURES.spend,
};

type Day = Omit<Dashboard['days'][number], 'spend_micros'> & { spend_micros: number | null };

export const toChartRows = (days: readonly Day[]): ChartRow[] =>
  days.map(({ date, sent, delivered, failed, received, spend_micros }) => ({
    date,
    day: formatDayMonth(date),
    delivered,
    failed,
    open: Math.max(0, sent - delivered - failed),
    received,
    spend_micros,
  }));

/** Each channel's share of all messages, largest first. */
export function channelShares(channels: Dashboard['channels']): { channel: string; count: number; part: number }[] {
  const counts = channels.map(({ channel, sent, received }) => ({ channel, count: sent + received }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return counts
    .map(({ channel, count }) => ({ channel, count, part: total === 0 ? 0 : count / total }))
    .sort((a, b) => b.count - a.count);
}

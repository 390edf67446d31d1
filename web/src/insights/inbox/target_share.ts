import type { ReportFigures } from '@parley/contract/insights/inbox_reports.ts';

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 });

/** The share within the target as "92%"; null if nothing had a target. */
export function targetShare(figures: ReportFigures, target: 'response' | 'resolution'): string | null {
  const all = figures[`${target}_targets`];
  return all === 0 ? null : percent.format(figures[`${target}_in_time`] / all);
}

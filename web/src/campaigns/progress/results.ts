/** The results of a campaign over time, as rows of a chart. */
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { formatDate, formatDateTime, formatExact, formatTime } from '../../ui/data/format.ts';

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
/** The length of "21-11-2026 14:05:10" in an exact time, and of its date. */
const [EXACT_LENGTH, DATE_LENGTH] = [19, 11];

type ResultRow = Omit<CampaignResults['points'][number], 'date'> & { time: string };

/** Names each period as briefly as its length allows. The names are unique. */
export function toChartRows({ points, step_seconds }: CampaignResults, zone: string): ResultRow[] {
  const [first, last] = [points[0], points.at(-1)];
  const isOneDay = first && last && formatDate(first.date, zone) === formatDate(last.date, zone);
  const name = (date: string): string => {
    if (step_seconds >= DAY_SECONDS) return formatDate(date, zone);
    if (step_seconds < MINUTE_SECONDS) return formatExact(date, zone).slice(isOneDay ? DATE_LENGTH : 0, EXACT_LENGTH);
    return isOneDay ? formatTime(date, zone) : formatDateTime(date, zone);
  };
  return points.map(({ date, ...counts }) => ({ time: name(date), ...counts }));
}

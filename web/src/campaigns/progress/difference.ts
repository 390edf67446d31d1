/** Explains why the cost of a campaign differs from its forecast. The amounts add up to the difference. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { formatCount, formatMoney } from '../../ui/data/format.ts';

type Figures = Pick<CampaignResults, 'forecast' | 'actual' | 'currency'>;
type Outline = Pick<Campaign, 'counts' | 'skipped' | 'fallbacks'>;

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

export function explainDifference({ counts, skipped, fallbacks }: Outline, figures: Figures): string[] {
  const { forecast, actual, currency } = figures;
  if (!forecast || forecast.total_micros === null) return [];
  const money = (micros: number) => formatMoney(micros, currency);
  const difference = sum(actual.map(({ cost_micros }) => cost_micros)) - forecast.total_micros;
  const uncharged = sum(actual.map((row) => row.uncharged));
  const uncharged_micros = sum(actual.map((row) => row.uncharged_micros));
  const rest = difference + uncharged_micros;
  const recipients = sum(actual.map((row) => row.recipients)) - forecast.will_receive;
  const open = counts.enroute + counts.sent;
  return [
    counts.waiting > 0 && `${formatCount(counts.waiting, 'contact')} have no message yet.`,
    open > 0 && `The cost includes amounts reserved for ${formatCount(open, 'message')} in transit.`,
    uncharged > 0 &&
      `${formatCount(uncharged, 'message')} failed or were canceled, and are not charged: ${money(-uncharged_micros)}.`,
    recipients < 0 && counts.waiting === 0 && describeFewer(-recipients, skipped),
    recipients > 0 && `${formatCount(recipients, 'more recipient')} than forecast.`,
    rest !== 0 && counts.waiting === 0 && `${nameRest(recipients, fallbacks.length > 0)}: ${money(rest)}.`,
    difference === 0 && open === 0 && 'The cost agrees with the forecast.',
  ].filter((line): line is string => typeof line === 'string');
}

function describeFewer(count: number, skipped: Campaign['skipped']): string {
  const { removed = 0, canceled = 0 } = skipped;
  const known = [
    removed > 0 && `${formatCount(removed, 'contact')} left the audience after the start`,
    canceled > 0 && `${formatCount(canceled, 'contact')} had no message when the campaign was canceled`,
  ].filter(Boolean);
  const reason = known.length > 0 ? `: ${known.join(', and ')}` : ', because contacts were skipped after the start';
  return `${formatCount(count, 'fewer recipient')} than forecast${reason}.`;
}

function nameRest(recipients: number, has_fallbacks: boolean): string {
  if (recipients !== 0) return 'Other recipients, prices, or texts than in the forecast';
  if (has_fallbacks) return 'The forecast has the price of the most expensive channel of each message';
  return 'Prices or contacts that changed after the forecast';
}

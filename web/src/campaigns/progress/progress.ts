/** Computes a campaign's progress: totals, rate, and time left. Pure functions. */
import type { Campaign, CampaignCounts } from '@parley/contract/campaigns/campaigns.ts';
import { formatNumber } from '../../ui/data/format.ts';

export interface Totals {
  /** Recipients that are finished: sent, failed, or skipped. */
  done: number;
  total: number;
  delivered: number;
  /** Accepted by the carrier, but without a delivery receipt so far. */
  sent: number;
  failed: number;
  skipped: number;
  /** Canceled, with or without a message. */
  canceled: number;
  /** Not sent yet. */
  left: number;
}

export function campaignTotals({ counts, skipped, total }: Pick<Campaign, 'counts' | 'skipped' | 'total'>): Totals {
  const left = counts.waiting + counts.enroute;
  const canceled = counts.canceled + (skipped.canceled ?? 0);
  return {
    done: Math.max(0, total - left - canceled),
    total,
    delivered: counts.delivered + counts.read,
    sent: counts.sent,
    failed: countFailed(counts),
    skipped: Object.values(skipped).reduce((all, count) => all + (count ?? 0), 0) - (skipped.canceled ?? 0),
    canceled,
    left,
  };
}

/** The skipped contacts that are listed: not those that left the audience, or that a cancellation left out. */
export const countListedSkips = (campaign: Pick<Campaign, 'counts' | 'skipped' | 'total'>): number =>
  campaignTotals(campaign).skipped - (campaign.skipped.removed ?? 0);

/** The recipients by outcome in words: "6 sent, 18 skipped". Sent includes delivered and failed. Empty without any. */
export function outcomeText({ done, skipped, canceled, left }: Totals): string {
  const sent = Math.max(0, done - skipped);
  return [
    { count: sent, word: 'sent' },
    { count: skipped, word: 'skipped' },
    { count: canceled, word: 'canceled' },
    { count: left, word: 'waiting' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

const countFailed = (counts: CampaignCounts): number =>
  counts.failed + counts.rejected + counts.expired + counts.blocked + counts.unsubscribed;

export interface Reading {
  /** In milliseconds. */
  at: number;
  done: number;
}

const WINDOW_MS = 12_000;
/** Two readings closer than this do not give a reliable rate. */
const MIN_SPAN_MS = 900;

/**
 * Adds a reading and drops old ones. If the count falls (after a retry, or for another campaign), the readings start
 * over.
 */
export function withReading(readings: readonly Reading[], next: Reading): Reading[] {
  const last = readings.at(-1);
  if (last && next.done < last.done) return [next];
  return [...readings.filter((reading) => next.at - reading.at <= WINDOW_MS), next];
}

/** Recipients per second over the last readings; null if there are too few. */
export function measureRate(readings: readonly Reading[]): number | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.at - first.at < MIN_SPAN_MS) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1_000;
}

export const secondsLeft = (left: number, rate: number | null): number | null =>
  rate === null || rate <= 0 || left === 0 ? null : left / rate;

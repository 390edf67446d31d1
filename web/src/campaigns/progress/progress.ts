/** What a running campaign's figures mean to a person: how far, how fast, how long still. Pure. */
import type { Campaign, CampaignCounts } from '@parley/contract/campaigns/campaigns.ts';

export interface Standing {
  /** People about whom all is done that was to be done: sent, failed or skipped. */
  done: number;
  total: number;
  delivered: number;
  /** With the carrier, no word yet. */
  sent: number;
  failed: number;
  skipped: number;
  /** Called off, with or without a message made. */
  canceled: number;
  /** Not sent yet. */
  left: number;
}

export function standingOf({ counts, skipped, total }: Pick<Campaign, 'counts' | 'skipped' | 'total'>): Standing {
  const left = counts.waiting + counts.enroute;
  const canceled = counts.canceled + (skipped.canceled ?? 0);
  return {
    done: Math.max(0, total - left - canceled),
    total,
    delivered: counts.delivered + counts.read,
    sent: counts.sent,
    failed: failedOf(counts),
    skipped: Object.values(skipped).reduce((all, count) => all + (count ?? 0), 0) - (skipped.canceled ?? 0),
    canceled,
    left,
  };
}

export const failedOf = (counts: CampaignCounts): number =>
  counts.failed + counts.rejected + counts.expired + counts.blocked + counts.unsubscribed;

export interface Reading {
  /** Milliseconds. */
  at: number;
  done: number;
}

const WINDOW_MS = 12_000;
/** Two looks close together say little about the speed. */
const LEAST_MS = 900;

/** The readings worth keeping with a new one added. A fall (another campaign, a retry) starts anew. */
export function withReading(readings: readonly Reading[], next: Reading): Reading[] {
  const last = readings.at(-1);
  if (last && next.done < last.done) return [next];
  return [...readings.filter((reading) => next.at - reading.at <= WINDOW_MS), next];
}

/** Per second over the last seconds; null while it cannot be told. */
export function rateOf(readings: readonly Reading[]): number | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_MS) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1_000;
}

export const secondsLeft = (left: number, rate: number | null): number | null =>
  rate === null || rate <= 0 || left === 0 ? null : left / rate;

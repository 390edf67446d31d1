/**
 * Limits a campaign's rate. Messages get consecutive times, the fan-out creates them only shortly before, and lost time
 * is not caught up. The rate therefore also holds after a pause or an outage.
 */
import { type CampaignTiming, NO_TIMING } from '@parley/contract/campaigns/timing.ts';

const SECOND_MICROS = 1_000_000;
const HOUR_MICROS = 3_600 * SECOND_MICROS;
/** Messages are created this long before their time, so that the pauses of the fan-out do not lower the rate. */
const AHEAD_MICROS = SECOND_MICROS;
/** The shortest rest of the fan-out, so that a fast campaign does not need a transaction for each message. */
const MIN_REST_MICROS = 250_000;

/** Returns the microseconds between two messages, or null if the rate is not limited. */
export function paceMicros(timing: Partial<CampaignTiming>, recipients: number): number | null {
  const { rate, spread_hours } = { ...NO_TIMING, ...timing };
  if (rate) return Math.ceil((rate.per === 'second' ? SECOND_MICROS : HOUR_MICROS) / rate.messages);
  return spread_hours && recipients > 0 ? Math.floor((spread_hours * HOUR_MICROS) / recipients) : null;
}

export interface Pace {
  /** The number of messages that may be created now. */
  readonly free: number;
  /** The time of the nth message from now. */
  at(index: number): Date;
  /** The time of the next message, in microseconds, after `used` messages were created. */
  after(used: number): number;
  /** When the fan-out continues if no message may be created now. */
  readonly rest_until: Date;
}

const toDate = (micros: number): Date => new Date(Math.ceil(micros / 1_000));

/** Returns null if the rate is not limited. */
export function readPace(
  { pace_micros, paced_micros }: { pace_micros: number | null; paced_micros: number | null },
  now: Date,
): Pace | null {
  if (pace_micros === null) return null;
  const now_micros = now.getTime() * 1_000;
  const first = Math.max(paced_micros ?? 0, now_micros);
  const ahead = now_micros + AHEAD_MICROS - first;
  return {
    free: ahead <= 0 ? 0 : pace_micros === 0 ? Number.MAX_SAFE_INTEGER : Math.ceil(ahead / pace_micros),
    at: (index) => toDate(first + index * pace_micros),
    after: (used) => first + used * pace_micros,
    rest_until: toDate(Math.max(first - AHEAD_MICROS + 1_000, now_micros + MIN_REST_MICROS)),
  };
}

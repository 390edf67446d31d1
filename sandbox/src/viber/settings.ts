/**
 * The behavior of Viber for numbers that are not magic. Each row contains the limits and the default of one setting.
 */
import { inputNumber, inputObject, invalid } from '../problem.ts';
import { isStatus } from './statuses.ts';

export interface ViberSettings {
  delivered_delay_ms: number;
  delivered_jitter_ms: number;
  /** Counted from the delivery, for phones that read messages immediately. */
  seen_delay_ms: number;
  callbacks_lost_percent: number;
  callbacks_twice_percent: number;
  bad_signature_percent: number;
  out_of_order: boolean;
  seen_without_delivered: boolean;
  answer_delay_ms: number;
  /** The message is accepted, but the connection is dropped before the response. */
  answers_lost_percent: number;
  refused_percent: number;
  /** The status used for those refusals. */
  refused_status: number;
  session_length_ms: number;
  messages_unanswered: number;
  messages_per_session: number;
}

const hour = 3_600_000;
const numbers: Partial<Record<keyof ViberSettings, { min: number; max: number; initial: number }>> = {
  delivered_delay_ms: { min: 0, max: hour, initial: 400 },
  delivered_jitter_ms: { min: 0, max: hour, initial: 400 },
  seen_delay_ms: { min: 0, max: hour, initial: 800 },
  callbacks_lost_percent: { min: 0, max: 100, initial: 0 },
  callbacks_twice_percent: { min: 0, max: 100, initial: 0 },
  bad_signature_percent: { min: 0, max: 100, initial: 0 },
  answer_delay_ms: { min: 0, max: 60_000, initial: 0 },
  answers_lost_percent: { min: 0, max: 100, initial: 0 },
  refused_percent: { min: 0, max: 100, initial: 0 },
  refused_status: { min: 1, max: 1000, initial: 1 },
  session_length_ms: { min: 0, max: 72 * hour, initial: 24 * hour },
  // The published limits differ: 5 and 10.
  messages_unanswered: { min: 1, max: 1000, initial: 10 },
  messages_per_session: { min: 1, max: 1000, initial: 60 },
};
const flags = { out_of_order: false, seen_without_delivered: false };
const fields = [...Object.keys(numbers), ...Object.keys(flags)];

export const defaultViberSettings = (): ViberSettings =>
  ({
    ...Object.fromEntries(Object.entries(numbers).map(([field, { initial }]) => [field, initial])),
    ...flags,
  }) as unknown as ViberSettings;

/** Checks the given fields and keeps the current values of the others. */
export function changeViberSettings(now: ViberSettings, body: unknown): ViberSettings {
  const input = inputObject(body, fields);
  const next = { ...now } as Record<string, unknown>;
  for (const field of Object.keys(input)) {
    const limits = numbers[field as keyof ViberSettings];
    if (limits) next[field] = inputNumber(input, field, limits);
    else if (typeof input[field] === 'boolean') next[field] = input[field];
    else throw invalid(field, 'must be true or false');
  }
  if (!isStatus(next.refused_status as number)) throw invalid('refused_status', 'must be a status that Viber uses');
  return next as unknown as ViberSettings;
}

// How Viber behaves, and misbehaves, for numbers that are not magic. One row is the limit, the default and what the API accepts.
import { inputNumber, inputObject, invalid } from '../problem.ts';
import { isStatus } from './statuses.ts';

export interface Moods {
  delivered_delay_ms: number;
  delivered_jitter_ms: number;
  /** After delivery, for phones that read at once. */
  seen_delay_ms: number;
  callbacks_lost_percent: number;
  callbacks_twice_percent: number;
  bad_signature_percent: number;
  out_of_order: boolean;
  seen_without_delivered: boolean;
  answer_delay_ms: number;
  /** The message is taken, but the connection is cut before the answer. */
  answers_lost_percent: number;
  refused_percent: number;
  /** The status those refusals have. */
  refused_status: number;
  session_length_ms: number;
  messages_unanswered: number;
  messages_per_session: number;
}

const hour = 3_600_000;
const numbers: Partial<Record<keyof Moods, { min: number; max: number; start: number }>> = {
  delivered_delay_ms: { min: 0, max: hour, start: 400 },
  delivered_jitter_ms: { min: 0, max: hour, start: 400 },
  seen_delay_ms: { min: 0, max: hour, start: 800 },
  callbacks_lost_percent: { min: 0, max: 100, start: 0 },
  callbacks_twice_percent: { min: 0, max: 100, start: 0 },
  bad_signature_percent: { min: 0, max: 100, start: 0 },
  answer_delay_ms: { min: 0, max: 60_000, start: 0 },
  answers_lost_percent: { min: 0, max: 100, start: 0 },
  refused_percent: { min: 0, max: 100, start: 0 },
  refused_status: { min: 1, max: 1000, start: 1 },
  session_length_ms: { min: 0, max: 72 * hour, start: 24 * hour },
  // Published limits differ, 5 and 10.
  messages_unanswered: { min: 1, max: 1000, start: 10 },
  messages_per_session: { min: 1, max: 1000, start: 60 },
};
const flags = { out_of_order: false, seen_without_delivered: false };
const fields = [...Object.keys(numbers), ...Object.keys(flags)];

export const usualMoods = (): Moods =>
  ({
    ...Object.fromEntries(Object.entries(numbers).map(([field, { start }]) => [field, start])),
    ...flags,
  }) as unknown as Moods;

/** Checks what is given and leaves the rest as it was. */
export function changeMoods(now: Moods, body: unknown): Moods {
  const input = inputObject(body, fields);
  const next = { ...now } as Record<string, unknown>;
  for (const field of Object.keys(input)) {
    const limits = numbers[field as keyof Moods];
    if (limits) next[field] = inputNumber(input, field, limits);
    else if (typeof input[field] === 'boolean') next[field] = input[field];
    else throw invalid(field, 'must be true or false');
  }
  if (!isStatus(next.refused_status as number)) throw invalid('refused_status', 'must be a status Viber answers');
  return next as unknown as Moods;
}

// How WhatsApp behaves, and misbehaves, for numbers that are not magic: one row is the limit, the default and what the API accepts.
import { type Input, inputChoice, inputFlag, inputNumber, inputObject, invalid } from '../problem.ts';
import { knownCodes } from './graph_error.ts';

export interface WhatsappSettings {
  review_delay_ms: number;
  sent_delay_ms: number;
  delivered_delay_ms: number;
  /** From the delivery, on phones that read at once. */
  read_delay_ms: number;
  /** Free text outside the window: refused at the call, or accepted and failed by webhook. */
  window_refusal: 'answer' | 'webhook';
  /** A number must be verified by code before it is registered. */
  verification_required: boolean;
  /** Per number; 0 is no limit. */
  throughput_per_second: number;
  /** Between two messages to one person, after a burst; 0 is no limit. */
  pair_seconds: number;
  /** People written to outside the window in 24 hours; 0 is no limit. */
  messaging_limit: number;
  /** Not empty: only these numbers may be written to. */
  allowed_recipients: string[];
  answer_delay_ms: number;
  /** The message is taken, the answer never leaves. */
  answers_cut_percent: number;
  server_errors_percent: number;
  /** Messages are refused with this code; 0 is none. */
  fail_code: number;
  fail_percent: number;
  /** Messages are accepted and fail with this code; 0 is none. */
  fail_webhook_code: number;
  webhooks_late_ms: number;
  webhooks_lost_percent: number;
  webhooks_twice_percent: number;
  webhooks_bad_signature_percent: number;
  webhooks_out_of_order: boolean;
  /** Most messages and statuses in one POST. */
  webhook_batch: number;
  /** How long a POST waits for company. */
  webhook_gather_ms: number;
  /** Before the first repetition; doubles each time. */
  webhook_retry_ms: number;
}

const minute = 60_000;
const percent = { min: 0, max: 100, start: 0 };
const code = { min: 0, max: 200_000, start: 0 };
const numbers: Record<string, { min: number; max: number; start: number }> = {
  review_delay_ms: { min: 0, max: 60 * minute, start: 2000 },
  sent_delay_ms: { min: 0, max: minute, start: 50 },
  delivered_delay_ms: { min: 0, max: 60 * minute, start: 250 },
  read_delay_ms: { min: 0, max: 60 * minute, start: 2000 },
  throughput_per_second: { min: 0, max: 100_000, start: 80 },
  pair_seconds: { min: 0, max: 600, start: 0 },
  messaging_limit: { min: 0, max: 1_000_000, start: 0 },
  answer_delay_ms: { min: 0, max: minute, start: 0 },
  answers_cut_percent: percent,
  server_errors_percent: percent,
  fail_code: code,
  fail_percent: { ...percent, start: 100 },
  fail_webhook_code: code,
  webhooks_late_ms: { min: 0, max: 60 * minute, start: 0 },
  webhooks_lost_percent: percent,
  webhooks_twice_percent: percent,
  webhooks_bad_signature_percent: percent,
  webhook_batch: { min: 1, max: 1000, start: 50 },
  webhook_gather_ms: { min: 0, max: minute, start: 0 },
  webhook_retry_ms: { min: 10, max: minute, start: 1000 },
};
const flags: Record<string, boolean> = { verification_required: false, webhooks_out_of_order: false };
const refusals = ['answer', 'webhook'] as const;
const fields = [...Object.keys(numbers), ...Object.keys(flags), 'window_refusal', 'allowed_recipients'];

export const usualWhatsapp = (): WhatsappSettings =>
  ({
    ...Object.fromEntries(Object.entries(numbers).map(([field, { start }]) => [field, start])),
    ...flags,
    window_refusal: 'answer',
    allowed_recipients: [],
  }) as unknown as WhatsappSettings;

/** Checks what is given and leaves the rest as it was. */
export function changeWhatsapp(now: WhatsappSettings, body: unknown): WhatsappSettings {
  const input = inputObject(body, fields);
  const next = { ...now } as unknown as Record<string, unknown>;
  for (const field of Object.keys(input)) {
    const limits = numbers[field];
    if (limits) next[field] = inputNumber(input, field, limits);
    else if (field in flags) next[field] = inputFlag(input, field);
    else if (field === 'window_refusal') next[field] = inputChoice(input, field, refusals);
    else next[field] = inputRecipients(input);
    const isCode = field === 'fail_code' || field === 'fail_webhook_code';
    if (isCode && next[field] !== 0 && !knownCodes.includes(next[field] as number)) {
      throw invalid(field, 'must be 0 or an error code of WhatsApp');
    }
  }
  return next as unknown as WhatsappSettings;
}

function inputRecipients(input: Input): string[] {
  const list = input.allowed_recipients;
  const fits = (item: unknown): item is string => typeof item === 'string' && /^\d{7,15}$/.test(item);
  if (!Array.isArray(list) || list.length > 1000 || !list.every(fits)) {
    throw invalid('allowed_recipients', 'must be a list of at most 1000 numbers of 7 to 15 digits');
  }
  return list;
}

/**
 * The behavior of WhatsApp for numbers that are not magic. Each row contains the limits and the default of one setting.
 */
import { type Input, inputChoice, inputFlag, inputNumber, inputObject, invalid } from '../problem.ts';
import { knownCodes } from './graph/graph_error.ts';

export interface WhatsappSettings {
  review_delay_ms: number;
  sent_delay_ms: number;
  delivered_delay_ms: number;
  /** Counted from the delivery, for phones that read messages immediately. */
  read_delay_ms: number;
  /**
   * Free text outside the window is either refused in the response or accepted and later reported as failed by webhook.
   */
  window_refusal: 'answer' | 'webhook';
  /** If true, a number must be verified with a code before it can be registered. */
  verification_required: boolean;
  /** Counted per number; 0 means no limit. */
  throughput_per_second: number;
  /** The pause between two messages to the same person; 0 means no limit. */
  pair_seconds: number;
  /** How many people the business may message outside the window in 24 hours; 0 means no limit. */
  messaging_limit: number;
  /** The only numbers that may receive messages; an empty list allows all. */
  allowed_recipients: string[];
  answer_delay_ms: number;
  /** The message is accepted, but the response is never sent. */
  answers_cut_percent: number;
  server_errors_percent: number;
  /** Messages are refused with this code; 0 means that none are refused. */
  fail_code: number;
  fail_percent: number;
  /** Messages are accepted and then fail with this code; 0 means that none fail. */
  fail_webhook_code: number;
  webhooks_late_ms: number;
  webhooks_lost_percent: number;
  webhooks_twice_percent: number;
  webhooks_bad_signature_percent: number;
  webhooks_out_of_order: boolean;
  /** The maximum number of messages and statuses in one POST. */
  webhook_batch: number;
  /** How long a POST waits for more items. */
  webhook_gather_ms: number;
  /** The pause before the first retry. It doubles with each retry. */
  webhook_retry_ms: number;
}

const minute = 60_000;
const percent = { min: 0, max: 100, initial: 0 };
const code = { min: 0, max: 200_000, initial: 0 };
const numbers: Record<string, { min: number; max: number; initial: number }> = {
  review_delay_ms: { min: 0, max: 60 * minute, initial: 2000 },
  sent_delay_ms: { min: 0, max: minute, initial: 50 },
  delivered_delay_ms: { min: 0, max: 60 * minute, initial: 250 },
  read_delay_ms: { min: 0, max: 60 * minute, initial: 2000 },
  throughput_per_second: { min: 0, max: 100_000, initial: 80 },
  pair_seconds: { min: 0, max: 600, initial: 0 },
  messaging_limit: { min: 0, max: 1_000_000, initial: 0 },
  answer_delay_ms: { min: 0, max: minute, initial: 0 },
  answers_cut_percent: percent,
  server_errors_percent: percent,
  fail_code: code,
  fail_percent: { ...percent, initial: 100 },
  fail_webhook_code: code,
  webhooks_late_ms: { min: 0, max: 60 * minute, initial: 0 },
  webhooks_lost_percent: percent,
  webhooks_twice_percent: percent,
  webhooks_bad_signature_percent: percent,
  webhook_batch: { min: 1, max: 1000, initial: 50 },
  webhook_gather_ms: { min: 0, max: minute, initial: 0 },
  webhook_retry_ms: { min: 10, max: minute, initial: 1000 },
};
const flags: Record<string, boolean> = { verification_required: false, webhooks_out_of_order: false };
const refusals = ['answer', 'webhook'] as const;
const fields = [...Object.keys(numbers), ...Object.keys(flags), 'window_refusal', 'allowed_recipients'];

export const defaultWhatsappSettings = (): WhatsappSettings =>
  ({
    ...Object.fromEntries(Object.entries(numbers).map(([field, { initial }]) => [field, initial])),
    ...flags,
    window_refusal: 'answer',
    allowed_recipients: [],
  }) as unknown as WhatsappSettings;

/** Checks the given fields and keeps the current values of the others. */
export function changeWhatsappSettings(now: WhatsappSettings, body: unknown): WhatsappSettings {
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
      throw invalid(field, 'must be 0 or a WhatsApp error code');
    }
  }
  return next as unknown as WhatsappSettings;
}

function inputRecipients(input: Input): string[] {
  const list = input.allowed_recipients;
  const isNumber = (item: unknown): item is string => typeof item === 'string' && /^\d{7,15}$/.test(item);
  if (!Array.isArray(list) || list.length > 1000 || !list.every(isNumber)) {
    throw invalid('allowed_recipients', 'must be a list of at most 1000 numbers of 7 to 15 digits');
  }
  return list;
}

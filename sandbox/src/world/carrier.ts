/**
 * The carrier's behavior for numbers that are not magic. Each row contains the limits and the default of one setting.
 */
import { type Input, inputChoice, inputFlag, inputNumber, inputObject, inputString, invalid } from '../problem.ts';

export interface Account {
  system_id: string;
  password: string;
}

export interface CarrierSettings {
  receipt_delay_ms: number;
  receipt_jitter_ms: number;
  receipts_lost_percent: number;
  receipts_twice_percent: number;
  out_of_order: boolean;
  response_delay_ms: number;
  responses_lost_percent: number;
  /** Counted per system_id; 0 means no limit. */
  throttle_per_second: number;
  /**
   * `mixed` means hexadecimal in the response and decimal in the receipt, and `reversed` the opposite. `padded` means
   * hexadecimal in both, but in upper case without zeros in the response and in lower case with zeros in the receipt.
   */
  id_format: 'decimal' | 'hex' | 'mixed' | 'reversed' | 'padded';
  /** The alphabet of data coding 0. */
  default_alphabet: 'gsm7' | 'latin1' | 'ascii';
  /** The accepted form of validity periods. All others are rejected. */
  validity: 'any' | 'relative' | 'absolute' | 'none';
  /** The UTC offset of dates in receipts, in minutes. */
  clock_offset_minutes: number;
  /** The country code that is omitted from the numbers of phones in receipts and replies; 0 means none. */
  omitted_country_code: number;
  /** If true, the receipt repeats the user_message_reference of the submit_sm. */
  echo_reference: boolean;
  /** The maximum number of unanswered deliver_sm PDUs per bind. */
  window: number;
  full_phone: 'refuse' | 'undelivered';
  /** How long a message waits for a phone that is off, unless its validity period is shorter. */
  expire_after_ms: number;
  /** If empty, any system_id with the password "sandbox" is allowed. */
  accounts: Account[];
}

const hour = 3_600_000;
const numbers: Partial<Record<keyof CarrierSettings, { min: number; max: number; initial: number }>> = {
  receipt_delay_ms: { min: 0, max: hour, initial: 400 },
  receipt_jitter_ms: { min: 0, max: hour, initial: 400 },
  receipts_lost_percent: { min: 0, max: 100, initial: 0 },
  receipts_twice_percent: { min: 0, max: 100, initial: 0 },
  response_delay_ms: { min: 0, max: 60_000, initial: 0 },
  responses_lost_percent: { min: 0, max: 100, initial: 0 },
  throttle_per_second: { min: 0, max: 100_000, initial: 0 },
  window: { min: 1, max: 1000, initial: 100 },
  expire_after_ms: { min: 0, max: 72 * hour, initial: 300_000 },
  clock_offset_minutes: { min: -720, max: 840, initial: 0 },
  omitted_country_code: { min: 0, max: 999, initial: 0 },
};
const flags = { out_of_order: false, echo_reference: true };
const choices = {
  id_format: ['decimal', 'hex', 'mixed', 'reversed', 'padded'],
  full_phone: ['refuse', 'undelivered'],
  default_alphabet: ['gsm7', 'latin1', 'ascii'],
  validity: ['any', 'relative', 'absolute', 'none'],
} as const;
const fields = [...Object.keys(numbers), ...Object.keys(flags), ...Object.keys(choices), 'accounts'];

export const defaultCarrier = (): CarrierSettings =>
  ({
    ...Object.fromEntries(Object.entries(numbers).map(([field, { initial }]) => [field, initial])),
    ...flags,
    id_format: 'decimal',
    full_phone: 'refuse',
    default_alphabet: 'gsm7',
    validity: 'any',
    accounts: [],
  }) as unknown as CarrierSettings;

/** Checks the given fields and keeps the current values of the others. */
export function changeCarrier(now: CarrierSettings, body: unknown): CarrierSettings {
  const input = inputObject(body, fields);
  const next = { ...now } as Record<string, unknown>;
  for (const field of Object.keys(input)) {
    const limits = numbers[field as keyof CarrierSettings];
    if (limits) next[field] = inputNumber(input, field, limits);
    else if (field in flags) next[field] = inputFlag(input, field);
    else if (field in choices) next[field] = inputChoice(input, field, choices[field as keyof typeof choices]);
    else next[field] = inputAccounts(input);
  }
  return next as unknown as CarrierSettings;
}

function inputAccounts(input: Input): Account[] {
  const list = input.accounts;
  if (!Array.isArray(list) || list.length > 100) throw invalid('accounts', 'must be a list of at most 100');
  const accounts = list.map((item): Account => {
    const account = inputObject(item, ['system_id', 'password']);
    return {
      system_id: inputString(account, 'system_id', { min: 1, max: 15 }),
      password: inputString(account, 'password', { min: 0, max: 8 }),
    };
  });
  if (new Set(accounts.map((account) => account.system_id)).size < accounts.length) {
    throw invalid('accounts', 'has the same system_id twice');
  }
  return accounts;
}

/** Draws a random outcome. At 0 or 100 percent, the outcome is certain. */
export const chance = (percent: number): boolean => percent > 0 && Math.random() * 100 < percent;

export function isAllowed(settings: CarrierSettings, system_id: string, password: string): boolean {
  if (settings.accounts.length === 0) return password === 'sandbox';
  return settings.accounts.some((account) => account.system_id === system_id && account.password === password);
}

/** Limits the submissions per second for each system_id, with a burst of one second. */
export class Throttle {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  take(system_id: string, per_second: number, now: number): boolean {
    if (per_second === 0) return true;
    const bucket = this.buckets.get(system_id) ?? { tokens: per_second, at: now };
    bucket.tokens = Math.min(per_second, bucket.tokens + ((now - bucket.at) / 1000) * per_second);
    bucket.at = now;
    this.buckets.set(system_id, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/** The rules of each channel for the verification codes of customers. */
import type { ProblemName } from '../problem.ts';
import type { FillableTemplate } from '../templates/draft.ts';

export interface VerificationRules {
  /** On a channel that needs no template, a standard text carries the code. */
  readonly template: 'required' | 'optional';
  readonly ttl: TtlRule;
  /** The message's purpose, on channels where users choose one. */
  readonly purpose: 'transactional' | null;
  /** Why this template cannot carry a code, besides a missing placeholder; null if it can. */
  refuseTemplate(template: Pick<FillableTemplate, 'wa_category' | 'external_id' | 'text'>): ProblemName | null;
}

/** The bounds of the time to live in seconds, or the problem with any time to live. */
export type TtlRule =
  | { readonly min: number; readonly max: number; readonly too_short: ProblemName; readonly too_long: ProblemName }
  | { readonly refusal: ProblemName };

interface LaterChannel {
  readonly label: string;
  readonly ttl: TtlRule;
  /** The fields that a request must have. */
  readonly requires: readonly ('sender' | 'phone' | 'email')[];
  /** True if the phone must be written with its country code. */
  readonly international?: boolean;
}

const TELEGRAM_TTL: TtlRule = {
  min: 60,
  max: 86_400,
  too_short: 'TTL_TELEGRAM_TOO_SHORT',
  too_long: 'TTL_TELEGRAM_TOO_LONG',
};
const EMAIL: LaterChannel = {
  label: 'Email',
  ttl: { min: 60, max: 86_400, too_short: 'TTL_INVALID', too_long: 'TTL_INVALID' },
  requires: ['email'],
};

/** Clients of other platforms send codes on these channels. Their requests are checked, and then refused. */
export const LATER_CHANNELS: Readonly<Record<string, LaterChannel>> = {
  VOICE: { label: 'Voice', ttl: { refusal: 'TTL_VOICE_NOT_SUPPORTED' }, requires: ['sender', 'phone'] },
  TELEGRAM: { label: 'Telegram', ttl: TELEGRAM_TTL, requires: ['phone'], international: true },
  G_RCS: { label: 'RCS', ttl: { refusal: 'TTL_NOT_SUPPORTED' }, requires: ['sender', 'phone'] },
  EMAIL,
  EMAIL_OTP: EMAIL,
};

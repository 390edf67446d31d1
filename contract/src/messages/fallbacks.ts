/**
 * Fallback channels of a message, tried in order if the previous one does not deliver. Pure rules for the fallback
 * fields; `rules.ts` validates the message of each fallback.
 */
import { channelRules } from '../channels/index.ts';
import type { ChannelName } from '../channels/names.ts';
import { type ProblemName, problemMessage } from '../problem.ts';
import type { Finding } from '../templates/draft.ts';

export const FALLBACKS_MOST = 3;
export const FALLBACK_WAIT = { min: 30, max: 86_400 } as const;

/**
 * What triggers a fallback: the message is not delivered in time, not read in time, or has failed. A failure always
 * triggers it.
 */
export const TRIGGERS = ['undelivered', 'unread', 'failed'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * skipped: the step could not be sent. not_needed: another step was delivered, the message expired, or it was canceled.
 */
export const LEG_STATES = ['waiting', 'in_effect', 'passed_on', 'skipped', 'not_needed'] as const;
export type LegState = (typeof LEG_STATES)[number];

export interface FallbackWish {
  readonly channel: ChannelName;
  readonly from?: string | null | undefined;
  readonly trigger?: string | null | undefined;
  readonly wait_seconds?: number | null | undefined;
}

export interface ReadFallback {
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  /** Null for the trigger `failed`, which has no wait. */
  readonly wait_seconds: number | null;
}

export function readFallbacks(
  channel: ChannelName,
  wishes: readonly FallbackWish[],
  validity_seconds: number,
): { read: ReadFallback[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const wrong = (index: number, code: ProblemName, field: string, message: string = problemMessage(code)) =>
    findings.push({ code, field: `fallbacks.${index}.${field}`, message });
  if (wishes.length === 0 || wishes.length > FALLBACKS_MOST)
    return {
      read: [],
      findings: [
        { code: 'FALLBACKS_COUNT_INVALID', field: 'fallbacks', message: `Add 1 to ${FALLBACKS_MOST} fallbacks` },
      ],
    };
  let waits = 0;
  const read = wishes.map((wish, index): ReadFallback => {
    const before = wishes.slice(0, index).map((one) => one.channel);
    if (wish.channel === channel) wrong(index, 'FALLBACK_SAME_AS_MAIN', 'channel');
    else if (before.includes(wish.channel)) wrong(index, 'FALLBACK_REPEATED', 'channel');
    const from = wish.from?.trim() ?? '';
    if (from === '') wrong(index, 'FALLBACK_SENDER_REQUIRED', 'from');
    const said = wish.trigger?.toLowerCase() || 'undelivered';
    const trigger = TRIGGERS.find((one) => one === said);
    if (!trigger) wrong(index, 'VALUE_INVALID', 'trigger', 'Trigger must be undelivered, unread or failed');
    const last = channelRules(before.at(-1) ?? channel);
    if (trigger === 'unread' && !last.reads)
      wrong(index, 'MESSAGE_TYPE_NOT_ALLOWED', 'trigger', `${last.label} does not report whether a message was read`);
    const wait_seconds = trigger === 'failed' ? null : (wish.wait_seconds ?? null);
    if (trigger && trigger !== 'failed') {
      waits += wait_seconds ?? 0;
      if (wait_seconds === null || !fits(wait_seconds))
        wrong(index, 'FALLBACK_THRESHOLD_INVALID', 'wait_seconds', 'The wait must be between 30 and 86,400 seconds');
      else if (waits >= validity_seconds)
        wrong(
          index,
          'FALLBACK_THRESHOLD_INVALID',
          'wait_seconds',
          'The total wait must be shorter than the validity of the message',
        );
    }
    return { channel: wish.channel, from, trigger: trigger ?? 'undelivered', wait_seconds };
  });
  return { read, findings };
}

const fits = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= FALLBACK_WAIT.min && seconds <= FALLBACK_WAIT.max;

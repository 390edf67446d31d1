/**
 * Fallback channels of a message, tried in order if the previous channel does not deliver. These rules for the fallback
 * fields are pure. `rules.ts` validates the message of each fallback.
 */
import { channelRules } from '../channels/index.ts';
import type { ChannelName } from '../channels/names.ts';
import { type ProblemName, problemMessage } from '../problem.ts';
import type { Finding } from '../templates/draft.ts';
import { TRIGGERS, type Trigger } from './triggers.ts';

export const MAX_FALLBACKS = 3;
export const FALLBACK_WAIT = { min: 30, max: 86_400 } as const;

export interface FallbackInput {
  readonly channel: ChannelName;
  readonly from?: string | null | undefined;
  readonly trigger?: string | null | undefined;
  readonly wait_seconds?: number | null | undefined;
  readonly reply_to?: string | null | undefined;
}

export interface ParsedFallback {
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  /** Null for the trigger `failed`, which has no wait. */
  readonly wait_seconds: number | null;
}

export function readFallbacks(
  channel: ChannelName,
  inputs: readonly FallbackInput[],
  validity_seconds: number,
): { read: ParsedFallback[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const report = (index: number, code: ProblemName, field: string, message: string = problemMessage(code)) =>
    findings.push({ code, field: `fallbacks.${index}.${field}`, message });
  if (inputs.length === 0 || inputs.length > MAX_FALLBACKS)
    return {
      read: [],
      findings: [
        { code: 'FALLBACKS_COUNT_INVALID', field: 'fallbacks', message: `Add 1 to ${MAX_FALLBACKS} fallbacks` },
      ],
    };
  let total_wait = 0;
  const read = inputs.map((input, index): ParsedFallback => {
    const before = inputs.slice(0, index).map((one) => one.channel);
    if (input.channel === channel) report(index, 'FALLBACK_SAME_AS_MAIN', 'channel');
    else if (before.includes(input.channel)) report(index, 'FALLBACK_REPEATED', 'channel');
    if (input.reply_to) report(index, 'QUOTE_NOT_SUPPORTED', 'reply_to', 'A fallback cannot quote a message');
    const from = input.from?.trim() ?? '';
    if (from === '') report(index, 'FALLBACK_SENDER_REQUIRED', 'from');
    const given = input.trigger?.toLowerCase() || 'undelivered';
    const trigger = TRIGGERS.find((one) => one === given);
    if (!trigger) report(index, 'VALUE_INVALID', 'trigger', 'Trigger must be undelivered, unread, or failed');
    const previous = channelRules(before.at(-1) ?? channel);
    if (trigger === 'unread' && !previous.reads)
      report(
        index,
        'MESSAGE_TYPE_NOT_ALLOWED',
        'trigger',
        `${previous.label} does not report whether a message was read`,
      );
    const wait_seconds = trigger === 'failed' ? null : (input.wait_seconds ?? null);
    if (trigger && trigger !== 'failed') {
      total_wait += wait_seconds ?? 0;
      if (wait_seconds === null || !isValidWait(wait_seconds))
        report(index, 'FALLBACK_THRESHOLD_INVALID', 'wait_seconds', 'The wait must be 30 to 86,400 seconds');
      else if (total_wait >= validity_seconds)
        report(
          index,
          'FALLBACK_THRESHOLD_INVALID',
          'wait_seconds',
          'The total wait must be shorter than the message’s validity',
        );
    }
    return { channel: input.channel, from, trigger: trigger ?? 'undelivered', wait_seconds };
  });
  return { read, findings };
}

const isValidWait = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= FALLBACK_WAIT.min && seconds <= FALLBACK_WAIT.max;

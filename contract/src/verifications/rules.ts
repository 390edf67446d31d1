/**
 * Reads a request to send a verification code, in all accepted formats. The functions are pure. Templates, senders, and
 * recipients are checked on the server.
 */
import { z } from 'zod';
import { channelRules } from '../channels/index.ts';
import { CHANNELS, type ChannelName, DEFAULT_CHANNEL } from '../channels/names.ts';
import { LATER_CHANNELS, type TtlRule } from '../channels/verification.ts';
import { matchWord } from '../common.ts';
import type { ProblemName } from '../problem.ts';
import { type Finding, finding } from '../templates/draft.ts';

export const CODE_LENGTH = { min: 4, max: 8 } as const;
export const CODE_SECONDS = 600;
export const MAX_ATTEMPTS = 5;
export const THRESHOLD_SECONDS = { min: 120, max: 300 } as const;
export const MAX_STEPS = 5;

const text = (max: number) => z.string().trim().max(max).nullish();
/** Clients send numbers as numbers or as text. */
const numeric = z.union([z.string().trim().max(30), z.number()]).nullish();

export const VerificationFallback = z.object({
  channel: text(30),
  sender: text(100),
  template: text(100),
  /** Seconds until this channel is tried, if the code is not delivered by then: 120 to 300. */
  threshold: numeric,
});
type FallbackInput = z.output<typeof VerificationFallback>;

/** The schema is loose: `readVerification` reports invalid input. */
export const verificationFields = {
  /** Defaults to SMS, as in older programs. */
  channel: text(30),
  /** The name, code, or ID of the sender. */
  sender: text(100),
  phone: numeric,
  /** Needed on channels that send only approved templates. It must contain {code}. */
  template: text(100),
  /** 4 to 8. Parley creates the code. */
  code_length: numeric,
  /** Your own code, instead of `code_length`: 4 to 8 digits. */
  code: numeric,
  ttl_in_seconds: numeric,
  /** The channels to try, in order, while the code is not delivered. */
  fallback: z.union([z.array(VerificationFallback).max(50), VerificationFallback]).nullish(),
  email: text(320),
  /** The kind of a voice call. */
  voice_type: text(30),
  /** The name in the standard text. Defaults to your company’s name. */
  brand: text(40),
  /** The language of the standard text, such as `en` or `pt-BR`. */
  locale: text(20),
  /** The IP address of the person who requested the code. It limits how many codes they can request. */
  ip_address: text(50),
};
const verificationBody = z.object(verificationFields);
export type VerificationBody = z.output<typeof verificationBody>;

export interface VerificationStep {
  readonly channel: ChannelName;
  readonly sender: string;
  readonly template: string | null;
  /** Null for the first step. */
  readonly threshold: number | null;
}

export interface VerificationDraft {
  readonly phone: string;
  /** Your own code, or the length of the one to create. */
  readonly code: string | { readonly length: number };
  readonly steps: readonly [VerificationStep, ...VerificationStep[]];
  /** How long the code is valid and can be delivered: the time to live and the thresholds of all fallback steps. */
  readonly valid_seconds: number;
}

const written = (value: string | number | null | undefined): string => String(value ?? '').trim();
const isUuid = (value: string): boolean => z.uuid().safeParse(value).success;

/** The draft is complete only without findings. */
export function readVerification(body: VerificationBody): { draft: VerificationDraft | null; findings: Finding[] } {
  const findings: Finding[] = [];
  const name = findChannel(body.channel || DEFAULT_CHANNEL);
  const later = LATER_CHANNELS[name];
  const channel = CHANNELS.find((one) => one === name) ?? null;
  const required = channel ? (['sender', 'phone'] as const) : (later?.requires ?? []);
  for (const field of required) if (written(body[field]) === '') findings.push(finding(REQUIRED[field], field));
  if (later?.international && written(body.phone) !== '' && !isInternational(written(body.phone)))
    findings.push(finding('VERIFICATION_PHONE_INVALID', 'phone'));
  if (channel) findings.push(...templateFindings(channel, body.template ?? '', 'VERIFICATION_TEMPLATE_REQUIRED'));
  const code = readCode(body, findings);
  const ttl = readTtl(channel ? channelRules(channel).verification.ttl : later?.ttl, body.ttl_in_seconds, findings);
  const fallbacks = readSteps(channel, body.fallback, findings);
  if (later) findings.push(finding('MESSAGE_CHANNEL_INVALID', 'channel', unavailable(later)));
  else if (!channel) findings.unshift(finding('MESSAGE_CHANNEL_INVALID', 'channel'));
  if (findings.length > 0 || !channel || code === null) return { draft: null, findings };
  const first = { channel, sender: body.sender ?? '', template: body.template || null, threshold: null };
  const wait = fallbacks.reduce((sum, { threshold }) => sum + (threshold ?? 0), 0);
  const valid_seconds = (ttl ?? CODE_SECONDS) + wait;
  return { draft: { phone: written(body.phone), code, steps: [first, ...fallbacks], valid_seconds }, findings };
}

const REQUIRED = {
  sender: 'VERIFICATION_SENDER_REQUIRED',
  phone: 'VERIFICATION_PHONE_REQUIRED',
  email: 'VERIFICATION_EMAIL_REQUIRED',
} as const satisfies Record<string, ProblemName>;

const isInternational = (phone: string): boolean => /^\+?[1-9]\d{6,14}$/.test(phone);

function templateFindings(channel: ChannelName, template: string, missing: ProblemName, path = 'template'): Finding[] {
  if (template !== '') return isUuid(template) ? [] : [finding('MESSAGE_TEMPLATE_ID_INVALID', path)];
  return channelRules(channel).verification.template === 'required' ? [finding(missing, path)] : [];
}

function readCode(body: VerificationBody, findings: Finding[]): VerificationDraft['code'] | null {
  const code = written(body.code);
  const length = written(body.code_length);
  const report = (problem: ProblemName, field: string) => {
    findings.push(finding(problem, field));
    return null;
  };
  if ((code === '') === (length === '')) return report('CODE_OR_LENGTH_REQUIRED', 'code');
  if (code !== '') {
    if (!/^\d+$/.test(code)) return report('VERIFICATION_CODE_NOT_NUMERIC', 'code');
    return isLength(code.length) ? code : report('VERIFICATION_CODE_LENGTH_INVALID', 'code');
  }
  return isLength(Number(length)) ? { length: Number(length) } : report('CODE_LENGTH_INVALID', 'code_length');
}

const isLength = (length: number): boolean =>
  Number.isInteger(length) && length >= CODE_LENGTH.min && length <= CODE_LENGTH.max;

/** Returns null without a time to live, or with an invalid one. */
function readTtl(
  rule: TtlRule | undefined,
  given: string | number | null | undefined,
  findings: Finding[],
): number | null {
  const ttl = written(given);
  if (ttl === '' || !rule) return null;
  const seconds = Number(ttl);
  const problem =
    'refusal' in rule
      ? rule.refusal
      : !Number.isInteger(seconds)
        ? 'TTL_INVALID'
        : seconds < rule.min
          ? rule.too_short
          : seconds > rule.max
            ? rule.too_long
            : null;
  if (problem) findings.push(finding(problem, 'ttl_in_seconds'));
  return problem ? null : seconds;
}

function readSteps(
  main: ChannelName | null,
  given: VerificationBody['fallback'],
  findings: Finding[],
): VerificationStep[] {
  if (given === undefined || given === null) return [];
  const inputs = [given].flat();
  if (inputs.length === 0 || inputs.length > MAX_STEPS) {
    findings.push(finding('FALLBACKS_COUNT_INVALID', 'fallback'));
    return [];
  }
  const seen: string[] = [];
  return inputs.flatMap((input, index) => readStep(main, seen, input, `fallback.${index}`, findings));
}

function readStep(
  main: ChannelName | null,
  seen: string[],
  { sender, template, threshold, ...input }: FallbackInput,
  path: string,
  findings: Finding[],
): VerificationStep[] {
  const count = findings.length;
  const report = (code: ProblemName, field: string, message?: string) =>
    findings.push(finding(code, `${path}.${field}`, message));
  const name = findChannel(input.channel);
  const later = LATER_CHANNELS[name];
  const channel = CHANNELS.find((one) => one === name);
  if (channel && channel === main) report('FALLBACK_SAME_AS_MAIN', 'channel');
  else if (seen.includes(name)) report('FALLBACK_REPEATED', 'channel');
  seen.push(name);
  const seconds = Number(written(threshold) || Number.NaN);
  const { min, max } = THRESHOLD_SECONDS;
  if (!Number.isInteger(seconds) || seconds < min || seconds > max) report('FALLBACK_THRESHOLD_INVALID', 'threshold');
  const needsSender = channel !== undefined || (later?.requires.includes('sender') ?? false);
  if (needsSender && !sender) report('FALLBACK_SENDER_REQUIRED', 'sender');
  if (channel)
    findings.push(...templateFindings(channel, template ?? '', 'CHANNEL_TEMPLATE_REQUIRED', `${path}.template`));
  else if (later) report('MESSAGE_CHANNEL_INVALID', 'channel', unavailable(later));
  else report('MESSAGE_CHANNEL_INVALID', 'channel');
  if (!channel || findings.length > count) return [];
  return [{ channel, sender: sender!, template: template || null, threshold: seconds }];
}

const findChannel = (text: string | null | undefined): string =>
  matchWord([...CHANNELS, ...Object.keys(LATER_CHANNELS)], text ?? '');

const unavailable = ({ label }: { label: string }): string => `Codes cannot be sent by ${label} on this system`;

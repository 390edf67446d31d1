/**
 * A message's fallback steps in a form: changes to them, their findings, and the body of the API call. The rules are in
 * the contract (`readFallbacks`, `readMessage`).
 */
import { ALL_CHANNELS, channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { MAX_FALLBACKS, readFallbacks } from '@parley/contract/messages/fallbacks.ts';
import { type MessageBody, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import type { Trigger } from '@parley/contract/messages/triggers.ts';
import { textLength } from '@parley/contract/text_length.ts';
import type { FieldFinding } from '../field_errors.ts';

/** A message's content; for a template, `text` has its values filled in. */
export type MessageContent = Pick<MessageBody, 'template' | 'variables'> & { text: string };

export const UNITS = { seconds: 1, minutes: 60, hours: 3_600 } as const;
export type Unit = keyof typeof UNITS;

export interface FallbackStep {
  /** Identifies the step even when the order changes. */
  readonly key: number;
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  /** An empty string while the field is empty. */
  readonly wait: number | '';
  readonly unit: Unit;
  /** `same` is the text of the message itself. */
  readonly source: 'same' | 'other' | 'template';
  readonly text: string;
  readonly template: MessageContent | null;
}

/** The order in which channels are offered for new steps: rich ones first, those that reach every phone last. */
const BY_PREFERENCE = ALL_CHANNELS.toSorted((a, b) => Number(b.rich) - Number(a.rich)).map(({ name }) => name);

export const freeChannels = (first: ChannelName, steps: readonly FallbackStep[]): ChannelName[] =>
  BY_PREFERENCE.filter((name) => name !== first && steps.every(({ channel }) => channel !== name));

export const canAddStep = (first: ChannelName, steps: readonly FallbackStep[]): boolean =>
  steps.length < Math.min(MAX_FALLBACKS, ALL_CHANNELS.length - 1) && freeChannels(first, steps).length > 0;

export function addStep(
  first: ChannelName,
  steps: readonly FallbackStep[],
  wait: Pick<FallbackStep, 'wait' | 'unit'>,
): FallbackStep[] {
  const [channel] = freeChannels(first, steps);
  if (!channel) return [...steps];
  const key = 1 + Math.max(0, ...steps.map((step) => step.key));
  const content = { source: 'same', text: '', template: null } as const;
  return [...steps, { key, channel, from: '', trigger: 'undelivered', ...wait, ...content }];
}

export const changeStep = (steps: readonly FallbackStep[], key: number, part: Partial<FallbackStep>): FallbackStep[] =>
  steps.map((step) => (step.key === key ? { ...step, ...part } : step));

/** Moves a step one position up (-1) or down (1). */
export function moveStep(steps: readonly FallbackStep[], at: number, by: -1 | 1): FallbackStep[] {
  const step = steps[at];
  const other = steps[at + by];
  return step && other ? steps.with(at, other).with(at + by, step) : [...steps];
}

/** The channel of the previous step, or of the message itself for the first step. */
export const channelBefore = (first: ChannelName, steps: readonly FallbackStep[], at: number): ChannelName =>
  steps[at - 1]?.channel ?? first;

const waitSeconds = ({ wait, unit }: FallbackStep): number | null => (wait === '' ? null : wait * UNITS[unit]);

function stepContent(step: FallbackStep, content: MessageContent): Partial<MessageContent> {
  if (step.source === 'same') return { text: content.text.trim() };
  if (step.source === 'other') return { text: step.text.trim() };
  return step.template ? { template: step.template.template, variables: step.template.variables } : {};
}

/** The `fallbacks` field of the API call. `content` is that of the message itself. */
export const toFallbacks = (steps: readonly FallbackStep[], content: MessageContent) =>
  steps.map((step) => {
    const { channel, from, trigger } = step;
    const wait_seconds = waitSeconds(step);
    const waits = trigger === 'failed' || wait_seconds === null ? {} : { wait_seconds };
    return { channel, from, ...stepContent(step, content), trigger, ...waits };
  });

/** All problems with the steps, keyed by the API's field names. */
export function stepFindings(
  first: ChannelName,
  steps: readonly FallbackStep[],
  content: MessageContent,
  validity_seconds: number = VALIDITY_SECONDS.default,
): FieldFinding[] {
  if (steps.length === 0) return [];
  const fallbacks = toFallbacks(steps, content);
  const { findings } = readFallbacks(first, fallbacks, validity_seconds);
  const ofContent = steps.flatMap((step, at): FieldFinding[] => {
    const finding = (field: string, message: string) => ({ field: `fallbacks.${at}.${field}`, message });
    if (step.source === 'template' && !step.template) return [finding('template', 'Template is required!')];
    const body = fallbacks[at]!;
    const { max_text } = channelRules(step.channel);
    if (textLength(body.text ?? '') > max_text)
      return [finding('text', `Message can have at most ${max_text} characters`)];
    return readMessage(step.channel, body).findings.map(({ field, message }) => finding(field, message));
  });
  return [...findings, ...ofContent];
}

/** The senders that a form offers for each channel. */
export interface SenderOptions {
  senders: readonly { value: string; label: string; code: string }[];
  /** The IDs of shared senders, which have no templates. */
  shared: readonly string[];
  /** Why no sender is available. */
  reason: string | null;
  loading: boolean;
}

/** Assigns a default sender, the first one on its channel, to each step without a sender. */
export const withSenders = (
  steps: readonly FallbackStep[],
  options: Readonly<Record<ChannelName, SenderOptions>>,
): FallbackStep[] =>
  steps.map((step) => ({ ...step, from: step.from || (options[step.channel].senders[0]?.value ?? '') }));

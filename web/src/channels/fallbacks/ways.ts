/**
 * The order of preference of a message while it is written: its other ways, what is wrong with them, and how they are sent. The rules are the contract's
 * (`readFallbacks`, `readMessage`); nothing is decided here.
 */
import { ALL_CHANNELS, channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { MAX_FALLBACKS, readFallbacks, type Trigger } from '@parley/contract/messages/fallbacks.ts';
import { type MessageBody, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import type { FieldFinding } from '../field_errors.ts';

/** What is said on a way; of a template `text` is how it will be read. */
export type Words = Pick<MessageBody, 'template' | 'variables'> & { text: string };

export const UNITS = { seconds: 1, minutes: 60, hours: 3_600 } as const;
export type Unit = keyof typeof UNITS;

export interface Way {
  /** Of the row, through every change of order. */
  readonly key: number;
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  /** As typed; empty while there is nothing in the field. */
  readonly wait: number | '';
  readonly unit: Unit;
  /** same: what the message says, as a text. */
  readonly says: 'same' | 'other' | 'template';
  readonly text: string;
  readonly template: Words | null;
}

/** Preferred where somebody has no preference yet: rich and cheap first, what reaches every phone last. */
const PREFERRED: readonly ChannelName[] = ['WHATSAPP', 'VIBER', 'SMS'];

export const freeChannels = (first: ChannelName, ways: readonly Way[]): ChannelName[] =>
  PREFERRED.filter((name) => name !== first && ways.every(({ channel }) => channel !== name));

export const mayAdd = (first: ChannelName, ways: readonly Way[]): boolean =>
  ways.length < Math.min(MAX_FALLBACKS, ALL_CHANNELS.length - 1) && freeChannels(first, ways).length > 0;

export function addWay(first: ChannelName, ways: readonly Way[], begin: Pick<Way, 'wait' | 'unit'>): Way[] {
  const [channel] = freeChannels(first, ways);
  if (!channel) return [...ways];
  const key = 1 + Math.max(0, ...ways.map((way) => way.key));
  const way: Way = { key, channel, from: '', trigger: 'undelivered', ...begin, says: 'same', text: '', template: null };
  return [...ways, way];
}

export const changeWay = (ways: readonly Way[], key: number, part: Partial<Way>): Way[] =>
  ways.map((way) => (way.key === key ? { ...way, ...part } : way));

/** One place towards the first, or the last. */
export function moveWay(ways: readonly Way[], at: number, by: -1 | 1): Way[] {
  const way = ways[at];
  const other = ways[at + by];
  return way && other ? ways.with(at, other).with(at + by, way) : [...ways];
}

/** On what channel the one before goes. */
export const channelBefore = (first: ChannelName, ways: readonly Way[], at: number): ChannelName =>
  ways[at - 1]?.channel ?? first;

const secondsOf = ({ wait, unit }: Way): number | null => (wait === '' ? null : wait * UNITS[unit]);

function saidBy(way: Way, words: Words): Partial<Words> {
  if (way.says === 'same') return { text: words.text.trim() };
  if (way.says === 'other') return { text: way.text.trim() };
  return way.template ? { template: way.template.template, variables: way.template.variables } : {};
}

/** As it goes into `fallbacks`. `words`: of the message itself. */
export const fallbacksOf = (ways: readonly Way[], words: Words) =>
  ways.map((way) => {
    const { channel, from, trigger } = way;
    const wait_seconds = secondsOf(way);
    const waits = trigger === 'failed' || wait_seconds === null ? {} : { wait_seconds };
    return { channel, from, ...saidBy(way, words), trigger, ...waits };
  });

/** Everything that is wrong, under the names the API has for the fields. */
export function wayFindings(
  first: ChannelName,
  ways: readonly Way[],
  words: Words,
  validity_seconds: number = VALIDITY_SECONDS.default,
): FieldFinding[] {
  if (ways.length === 0) return [];
  const fallbacks = fallbacksOf(ways, words);
  const { findings } = readFallbacks(first, fallbacks, validity_seconds);
  const said = ways.flatMap((way, at): FieldFinding[] => {
    const place = (field: string, message: string) => ({ field: `fallbacks.${at}.${field}`, message });
    if (way.says === 'template' && !way.template) return [place('template', 'Choose a template')];
    const body = fallbacks[at]!;
    const { max_text } = channelRules(way.channel);
    if ((body.text ?? '').length > max_text) return [place('text', `Message can have at most ${max_text} characters`)];
    return readMessage(way.channel, body).findings.map(({ field, message }) => place(field, message));
  });
  return [...findings, ...said];
}

/** From what may be sent on a channel; `reason` where that is nothing. */
export interface Offer {
  senders: readonly { value: string; label: string; code: string }[];
  /** One that has no templates of its own. */
  borrowed: readonly string[];
  reason: string | null;
  loading: boolean;
}

/** Where nobody was chosen yet the first of a channel sends; it may be known only a moment later. */
export const withSenders = (ways: readonly Way[], offers: Readonly<Record<ChannelName, Offer>>): Way[] =>
  ways.map((way) => ({ ...way, from: way.from || (offers[way.channel].senders[0]?.value ?? '') }));

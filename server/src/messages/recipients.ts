/** Who of those named may get this message, and for how much; for each of the others the first reason against it. */
import type { ChannelRules } from '@parley/contract/channels/channel.ts';
import { segmentCount, septets } from '@parley/contract/channels/sms/text.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { isProblemName, type ProblemName } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { parseNumber } from '../audiences/audiences.ts';
import type { Price } from '../billing/billing.ts';
import { reaches } from '../senders/senders.ts';
import { isAlias } from './writers.ts';

export interface Recipient {
  readonly to: string;
  /** As it will be sent: variables filled in. */
  readonly text: string;
  /** Given when `to` was read and found good before (a contact, a conversation): digits with country code. */
  readonly country?: string;
}

export interface Refused {
  /** Place among the recipients asked for. */
  readonly index: number;
  /** As it was written. */
  readonly number: string;
  readonly code: ProblemName;
}

export interface Person {
  readonly index: number;
  readonly number: string;
  readonly country: string;
  readonly text: string;
}

/** Whom an address belongs to that is no number of a numbering plan, and the country they are reached by: somebody wrote to us from there. */
export type Writers = ReadonlyMap<string, { number: string; country: string }>;

export function readRecipients(
  recipients: readonly Recipient[],
  writers: Writers = new Map(),
): { people: Person[]; unread: Refused[] } {
  const people = new Map<string, Person>();
  const unread: Refused[] = [];
  recipients.forEach(({ to, text, country }, index) => {
    const read = country ? { number: to, country } : (!isAlias(to) && parseNumber(to)) || writers.get(plainDigits(to));
    if (!read) unread.push({ index, number: to, code: 'RECIPIENTS_INVALID' });
    else if (!people.has(read.number))
      people.set(read.number, { index, number: read.number, country: read.country, text });
  });
  return { people: [...people.values()], unread };
}

export const plainDigits = (text: string): string => text.trim().replace(/^\+/, '');

export interface Passed extends Person {
  readonly segments_count: number;
  readonly encoding: 'GSM-7' | 'UCS-2' | 'UTF-8';
  readonly connection_id: string;
  readonly purpose: Purpose | null;
  /** For all its units. */
  readonly price_micros: number;
  readonly mccmnc: string | null;
}

export interface Rules {
  readonly sender: Pick<Sender, 'countries'>;
  readonly stopped: ReadonlySet<string>;
  route(number: string, country: string): string | null;
  price(number: string, country: string, purpose: Purpose | null): Price | null;
  /** Where the channel asks for one; a code: why it may not be sent. */
  readonly purpose?: ((number: string) => Purpose | ProblemName) | null;
  /** What is charged; segments unless said. */
  readonly counts?: ChannelRules['counts'];
  /** It has a file, and needs no words. */
  readonly carries_file?: boolean;
}

export function judge(people: readonly Person[], rules: Rules): { passed: Passed[]; refused: Refused[] } {
  const passed: Passed[] = [];
  const refused: Refused[] = [];
  for (const person of people) {
    const verdict = verdictOn(person, rules);
    if (typeof verdict === 'string') refused.push({ index: person.index, number: person.number, code: verdict });
    else passed.push(verdict);
  }
  return { passed, refused };
}

function verdictOn(person: Person, rules: Rules): Passed | ProblemName {
  const { sender, stopped, route, price } = rules;
  const { number, country, text } = person;
  if (stopped.has(number)) return 'RECIPIENT_BLOCKED';
  if (!rules.carries_file && text.trim() === '') return 'MESSAGE_TEXT_REQUIRED';
  const whole = rules.counts === 'messages';
  const segments_count = whole ? 1 : segmentCount(text);
  if (segments_count > MAX_SEGMENTS) return 'MESSAGE_SEGMENTS_LIMIT_EXCEEDED';
  const connection_id = reaches(sender, country) ? route(number, country) : null;
  if (connection_id === null) return 'ROUTE_NOT_FOUND';
  const purpose = rules.purpose ? rules.purpose(number) : null;
  if (isProblemName(purpose)) return purpose;
  const unit_price = price(number, country, purpose);
  if (!unit_price) return 'PRICE_NOT_FOUND';
  return {
    ...person,
    segments_count,
    encoding: whole ? 'UTF-8' : septets(text) < 0 ? 'UCS-2' : 'GSM-7',
    connection_id,
    purpose,
    price_micros: unit_price.price_micros * segments_count,
    mccmnc: unit_price.mccmnc,
  };
}

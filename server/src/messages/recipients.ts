/** Who of those named may get this message, and for how much; for each of the others the first reason against it. */
import { segmentCount, septets } from '@parley/contract/channels/sms.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages.ts';
import type { Code } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders.ts';
import { parseNumber } from '../audiences/audiences.ts';
import type { Price } from '../billing/billing.ts';
import { reaches } from '../senders/senders.ts';

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
  readonly code: Code;
}

export interface Person {
  readonly index: number;
  readonly number: string;
  readonly country: string;
  readonly text: string;
}

/** `writers`: numbers no numbering plan knows, with the country they are reached by, because somebody wrote to us from them. */
export function readRecipients(
  recipients: readonly Recipient[],
  writers: ReadonlyMap<string, string> = new Map(),
): { people: Person[]; unread: Refused[] } {
  const people = new Map<string, Person>();
  const unread: Refused[] = [];
  recipients.forEach(({ to, text, country }, index) => {
    const read = country ? { number: to, country } : (parseNumber(to) ?? writer(to, writers));
    if (!read) unread.push({ index, number: to, code: 1523 });
    else if (!people.has(read.number))
      people.set(read.number, { index, number: read.number, country: read.country, text });
  });
  return { people: [...people.values()], unread };
}

function writer(to: string, writers: ReadonlyMap<string, string>): { number: string; country: string } | null {
  const number = plainDigits(to);
  const country = writers.get(number);
  return country ? { number, country } : null;
}

export const plainDigits = (text: string): string => text.trim().replace(/^\+/, '');

export interface Passed extends Person {
  readonly segments_count: number;
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly connection_id: string;
  /** For all its segments. */
  readonly price_micros: number;
  readonly mccmnc: string | null;
}

export interface Rules {
  readonly sender: Pick<Sender, 'countries'>;
  readonly stopped: ReadonlySet<string>;
  route(number: string, country: string): string | null;
  price(number: string, country: string): Price | null;
}

export function judge(people: readonly Person[], rules: Rules): { passed: Passed[]; refused: Refused[] } {
  const passed: Passed[] = [];
  const refused: Refused[] = [];
  for (const person of people) {
    const verdict = verdictOn(person, rules);
    if (typeof verdict === 'number') refused.push({ index: person.index, number: person.number, code: verdict });
    else passed.push(verdict);
  }
  return { passed, refused };
}

function verdictOn(person: Person, { sender, stopped, route, price }: Rules): Passed | Code {
  const { number, country, text } = person;
  if (stopped.has(number)) return 1530;
  if (text.trim() === '') return 1508;
  const segments_count = segmentCount(text);
  if (segments_count > MAX_SEGMENTS) return 1546;
  const connection_id = reaches(sender, country) ? route(number, country) : null;
  if (connection_id === null) return 1543;
  const segment_price = price(number, country);
  if (!segment_price) return 1544;
  return {
    ...person,
    segments_count,
    encoding: septets(text) < 0 ? 'UCS-2' : 'GSM-7',
    connection_id,
    price_micros: segment_price.price_micros * segments_count,
    mccmnc: segment_price.mccmnc,
  };
}

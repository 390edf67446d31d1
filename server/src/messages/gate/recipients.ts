/** Decides who may get a message and at what price, and returns the first reason for refusing each other recipient. */
import type { ChannelRules } from '@parley/contract/channels/channel.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { idChannel } from '@parley/contract/channels/person_ids.ts';
import { ASSUMED_PROFILE, type SmsProfile, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { countSegments, type SmsEncoding } from '@parley/contract/channels/sms/text.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { isProblemName, Problem, type ProblemName, problemField, problemMessage } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import type { Price } from '../../billing/billing.ts';
import type { RuleMatch } from '../../guard/guard.ts';
import { reaches } from '../../senders/senders.ts';
import { isAlias } from '../thread/aliases.ts';

export interface Recipient {
  readonly to: string;
  /** The final text, with variables filled in. */
  readonly text: string;
  /** Why the message cannot be composed for this recipient. */
  readonly refusal?: ProblemName | undefined;
  /**
   * Set when `to` was already validated (for a contact or a conversation). `to` is then digits with the country code.
   */
  readonly country?: string;
}

export interface Refused {
  /** The index among the requested recipients. */
  readonly index: number;
  /** The number as the caller wrote it. */
  readonly number: string;
  readonly code: ProblemName;
  /** Replaces the text of the problem. */
  readonly message?: string;
}

export interface Person {
  readonly index: number;
  readonly number: string;
  readonly country: string;
  readonly text: string;
  /** The text before its links were shortened, if it has links. */
  readonly written?: string;
  /** Why the message cannot be composed for this person. */
  readonly refusal?: ProblemName | undefined;
}

/** The number and country of people who have written to us from an address that is not a phone number. */
export type KnownAddresses = ReadonlyMap<string, { number: string; country: string }>;

export function parseRecipients(
  recipients: readonly Recipient[],
  knownAddresses: KnownAddresses = new Map(),
): { people: Person[]; invalid: Refused[] } {
  const people = new Map<string, Person>();
  const invalid: Refused[] = [];
  recipients.forEach(({ to, text, refusal, country }, index) => {
    const address = country
      ? { number: to, country }
      : (!isAlias(to) && parseNumber(to)) || knownAddresses.get(plainDigits(to));
    if (!address) invalid.push({ index, number: to, code: 'RECIPIENTS_INVALID' });
    else if (!people.has(address.number))
      people.set(address.number, { index, number: address.number, country: address.country, text, refusal });
  });
  return { people: [...people.values()], invalid };
}

/**
 * Limits a trial account to its one number. A campaign fails instead of skipping all other recipients, because its
 * author has to change the audience.
 */
export function limitToTrial(
  { people, invalid }: { people: Person[]; invalid: Refused[] },
  only: string,
  { source, recipients }: { readonly source: string; readonly recipients: readonly Recipient[] },
): { people: Person[]; invalid: Refused[] } {
  const outside = people.filter(({ number }) => number !== only);
  if (outside.length > 0 && source === 'campaign') throw new Problem('TRIAL_RECIPIENT_NOT_ALLOWED');
  const refused = outside.map(({ index }) => ({
    index,
    number: recipients[index]!.to,
    code: 'TRIAL_RECIPIENT_NOT_ALLOWED' as const,
  }));
  return { people: people.filter(({ number }) => number === only), invalid: [...invalid, ...refused] };
}

export const plainDigits = (text: string): string => text.trim().replace(/^\+/, '');

export interface Passed extends Person {
  readonly segments_count: number;
  readonly encoding: SmsEncoding | 'UTF-8';
  readonly connection_id: string;
  readonly purpose: Purpose | null;
  /** The price for all units of the message. */
  readonly price_micros: number;
  /** Set if the price falls with the volume of the month. */
  readonly volume?: Price['volume'];
  /** The volume that counts the message, and the number of units before it. */
  readonly volume_id?: string;
  readonly volume_start?: number;
  readonly mccmnc: string | null;
  /** The strictest content rule that has matched the message, with the places that all rules have matched. */
  readonly review?: RuleMatch;
}

/** A first message whose session is closed costs nothing, because its fallback starts at once. */
export const withoutPrice = ({ volume: _, ...person }: Passed): Passed => ({ ...person, price_micros: 0 });

interface RecipientRules {
  readonly channel: ChannelName;
  readonly sender: Pick<Sender, 'countries'>;
  readonly stopped: ReadonlySet<string>;
  /** True for countries to which the account sends no messages. */
  blocks_country?(country: string): boolean;
  route(number: string, country: string): string | null;
  /** The segmentation rules of the connection. */
  profile?(connection_id: string): SmsProfile;
  price(number: string, country: string, purpose: Purpose | null): Price | null;
  /** Set for channels with purposes. If the result is a problem name, the message is refused for that reason. */
  readonly purpose?: ((number: string) => Purpose | ProblemName | null) | null;
  /** The unit that is charged; segments by default. */
  readonly counts?: ChannelRules['counts'];
  /** True if the message has a file, in which case the text may be empty. */
  readonly carries_file?: boolean;
}

export function judge(people: readonly Person[], rules: RecipientRules): { passed: Passed[]; refused: Refused[] } {
  const passed: Passed[] = [];
  const refused: Refused[] = [];
  for (const person of people) {
    const verdict = checkRecipient(person, rules);
    if (typeof verdict === 'string') refused.push({ index: person.index, number: person.number, code: verdict });
    else passed.push(verdict);
  }
  return { passed, refused };
}

function checkRecipient(person: Person, rules: RecipientRules): Passed | ProblemName {
  const { sender, stopped, route, price } = rules;
  const { number, country, text } = person;
  if (!acceptsAddress(rules.channel, number)) return 'RECIPIENTS_INVALID';
  if (stopped.has(number)) return 'RECIPIENT_BLOCKED';
  if (rules.blocks_country?.(country)) return 'COUNTRY_BLOCKED';
  if (person.refusal) return person.refusal;
  if (!rules.carries_file && text.trim() === '') return 'MESSAGE_TEXT_REQUIRED';
  const connection_id = reaches(sender, country) ? route(number, country) : null;
  const { count: segments_count, encoding } =
    rules.counts === 'messages' ? WHOLE : countSegments(text, optionsFor(rules, connection_id));
  if (segments_count > MAX_SEGMENTS) return 'MESSAGE_SEGMENTS_LIMIT_EXCEEDED';
  if (connection_id === null) return 'ROUTE_NOT_FOUND';
  const purpose = rules.purpose ? rules.purpose(number) : null;
  if (isProblemName(purpose)) return purpose;
  const unit_price = price(number, country, purpose);
  if (!unit_price) return 'PRICE_NOT_FOUND';
  return {
    ...person,
    segments_count,
    encoding,
    connection_id,
    purpose,
    price_micros: unit_price.price_micros * segments_count,
    ...(unit_price.volume ? { volume: unit_price.volume } : {}),
    mccmnc: unit_price.mccmnc,
  };
}

/** An ID is an address on its own channel, if that channel delivers to IDs. */
function acceptsAddress(channel: ChannelName, number: string): boolean {
  const own = idChannel(number);
  return own === null || (own === channel && channelRules(channel).other_addresses);
}

const WHOLE = { count: 1, encoding: 'UTF-8' } as const;

/** Counts segments by the rules of the connection, because the price depends on the submitted segments. */
const optionsFor = ({ profile }: RecipientRules, connection_id: string | null) =>
  segmentOptions((connection_id !== null && profile?.(connection_id)) || ASSUMED_PROFILE);

/** The problem of a request whose refused recipients are reported together. */
export function refusalProblem([first, ...rest]: readonly Refused[]): Problem {
  const detail = ({ code, number, message: text = problemMessage(code) }: Refused) => {
    const field = problemField(code);
    // The message for the trial problem does not contain a number.
    const message = code === 'TRIAL_RECIPIENT_NOT_ALLOWED' ? text : `${text}: ${number}`;
    return { code, message, ...(field ? { field } : {}) };
  };
  return new Problem(first!.code, { ...detail(first!), others: rest.map(detail) });
}

/**
 * The amounts that messages count toward the limits of their account. The figures of all messages are in arrays of
 * numbers, so that a message creates no objects.
 */
import { countsSpend } from '@parley/contract/guard/limits.ts';
import type { LimitRule, Origin, Way } from './rules.ts';

/** Messages that are about to be accepted. */
export interface Counted {
  readonly people: readonly { readonly number: string; readonly country: string; readonly price_micros: number }[];
  /** The senders that may send a message: its own, and those of its fallbacks. */
  readonly ways: (n: number) => readonly Way[];
  /** The amount that the hold of a message covers, if it is not its price. */
  readonly price?: ((n: number) => number) | undefined;
  readonly origin: Origin;
}

/** The counter of each message and column, and the amount that it adds. A column is a rule, or a sender of a rule. */
export interface Demand {
  readonly width: number;
  readonly counters: Int32Array;
  readonly amounts: Float64Array;
}

export const NO_COUNTER = -1;

/** Returns the place of a counter. */
type FindCounter = (rule: LimitRule, scope: string) => number;

export function readDemand(limits: readonly LimitRule[], messages: Counted, findCounter: FindCounter): Demand {
  const { people } = messages;
  const columns = limits.map((rule) => (rule.type === 'messages_per_sender' ? countWays(messages) : 1));
  const width = columns.reduce((sum, count) => sum + count, 0);
  const demand = {
    width,
    counters: new Int32Array(people.length * width).fill(NO_COUNTER),
    amounts: new Float64Array(people.length * width),
  };
  let column = 0;
  for (const [n, rule] of limits.entries()) {
    if (rule.type === 'messages_per_sender') countSenders(demand, column, rule, messages, findCounter);
    else countRule(demand, column, rule, messages, findCounter);
    column += columns[n]!;
  }
  return demand;
}

function countWays({ people, ways }: Counted): number {
  let most = 1;
  for (let n = 0; n < people.length; n++) most = Math.max(most, ways(n).length);
  return most;
}

const covers = (rule: LimitRule, channel: string): boolean => (rule.channels as readonly string[]).includes(channel);

/** Returns the test for the number and country of a message. */
function readPlaces({ countries, prefixes }: LimitRule): (person: { number: string; country: string }) => boolean {
  const listed = countries.length > 0 ? new Set(countries) : null;
  if (prefixes.length === 0) return listed ? ({ country }) => listed.has(country) : () => true;
  return ({ number, country }) => {
    if (listed && !listed.has(country)) return false;
    for (const prefix of prefixes) if (number.startsWith(prefix)) return true;
    return false;
  };
}

/** The counter that all messages of an origin share. Null: the rule does not apply. Undefined: one per recipient. */
function sharedScope(
  { type }: LimitRule,
  { key_id, user_id, campaign_id, address }: Origin,
): string | null | undefined {
  switch (type) {
    case 'messages':
    case 'spend':
      return '';
    case 'messages_per_recipient':
    case 'messages_per_sender':
      return undefined;
    case 'messages_per_key':
    case 'spend_per_key':
      return key_id || null;
    case 'messages_per_address':
      return address || null;
    case 'spend_per_user':
      return key_id ? null : (user_id ?? null);
    case 'spend_per_campaign':
      return campaign_id ?? null;
  }
}

function countRule(demand: Demand, column: number, rule: LimitRule, messages: Counted, findCounter: FindCounter): void {
  const { people, ways, price, origin } = messages;
  const scope = sharedScope(rule, origin);
  if (scope === null) return;
  const applies = readPlaces(rule);
  const isSpend = countsSpend(rule.type);
  let last: readonly Way[] | null = null;
  let isCovered = false;
  let shared = NO_COUNTER;
  for (let n = 0; n < people.length; n++) {
    const person = people[n]!;
    const own = ways(n);
    // Most messages share the list of their senders.
    if (own !== last) {
      last = own;
      isCovered = own.some(({ channel }) => covers(rule, channel));
    }
    if (!isCovered || !applies(person)) continue;
    const amount = isSpend ? (price ? price(n) : person.price_micros) : 1;
    if (amount <= 0) continue;
    const place = n * demand.width + column;
    if (scope === undefined) demand.counters[place] = findCounter(rule, person.number);
    else {
      if (shared === NO_COUNTER) shared = findCounter(rule, scope);
      demand.counters[place] = shared;
    }
    demand.amounts[place] = amount;
  }
}

/** A message counts once for each of its senders. */
function countSenders(
  { width, counters, amounts }: Demand,
  column: number,
  rule: LimitRule,
  { people, ways }: Counted,
  findCounter: FindCounter,
): void {
  const applies = readPlaces(rule);
  for (let n = 0; n < people.length; n++) {
    if (!applies(people[n]!)) continue;
    const own = ways(n);
    for (let way = 0; way < own.length; way++) {
      const { channel, sender_id } = own[way]!;
      if (!covers(rule, channel)) continue;
      const place = n * width + column + way;
      const counter = findCounter(rule, sender_id);
      if (counters.subarray(n * width + column, place).includes(counter)) continue;
      counters[place] = counter;
      amounts[place] = 1;
    }
  }
}

/**
 * The other ways of a message at the gate: written, looked at and priced like the message itself, by everything that can be known before their turn.
 * Conversations, stop list and sender are asked again then.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { type Content, NO_CONTENT, type Purpose, typeOf } from '@parley/contract/messages/content.ts';
import type { Trigger } from '@parley/contract/messages/fallbacks.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { fitsViberSession, viberPurpose } from '@parley/contract/messages/rules.ts';
import { messageOf, Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { PriceBook } from '../billing/billing.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { useMedia } from '../media/media.ts';
import { resolveSender } from '../senders/senders.ts';
import { carrierOf } from './carriers.ts';
import { conversationOf, messageColumns } from './columns.ts';
import { insertOrders } from './leg_rows.ts';
import type { Leg } from './legs.ts';
import { originsOf } from './pool.ts';
import { demandPurpose } from './purposes.ts';
import type { Drafted } from './queue.ts';
import { judge, type Passed } from './recipients.ts';
import { applyStatuses } from './status.ts';
import type { Written } from './written.ts';

/** The person has to write first. */
export const CLOSED = 1547;

export interface Fallback {
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  readonly wait_seconds: number | null;
  readonly write: (sender: Sender) => Promise<Written>;
}

export interface LegsQuestion {
  readonly account_id: string;
  readonly currency: string;
  readonly fallbacks: readonly Fallback[];
  readonly people: readonly Passed[];
  readonly prices: PriceBook;
  /** A test costs nothing. */
  readonly free: boolean;
  /** Senders that are only lent may be named, and whom they may write to is looked at. */
  readonly lent: ((sender: Sender) => Promise<void>) | null;
}

/** Where something is wrong with one of them. */
export async function inFallback<T>(index: number, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw placed(index, error);
  }
}

function placed(index: number, { code, field, message, others }: Problem): Problem {
  const path = (name: string | undefined) => `fallbacks.${index}${name && name !== 'to' ? `.${name}` : ''}`;
  return new Problem(code, {
    field: path(field),
    message,
    others: others.map((other) => ({ ...other, field: path(other.field) })),
  });
}

/** For each of the people, in their order, all their further ways. */
export async function draftLegs(tx: Tx, kernel: { db: Db }, question: LegsQuestion): Promise<Leg[][]> {
  const legs: Leg[][] = question.people.map(() => []);
  for (const [index, fallback] of question.fallbacks.entries()) {
    const drawn = await inFallback(index, () => draftLeg(tx, kernel, question, fallback));
    for (const [n, leg] of drawn.entries()) legs[n]!.push(leg);
  }
  return legs;
}

async function draftLeg(tx: Tx, kernel: { db: Db }, question: LegsQuestion, fallback: Fallback): Promise<Leg[]> {
  const { account_id, currency, prices, people, free } = question;
  const { channel } = fallback;
  const sender = await resolveSender(tx, account_id, channel, fallback.from, { allowShared: question.lent !== null });
  if (sender.shared) await question.lent!(sender);
  const rules = channelRules(channel);
  const written = await fallback.write(sender);
  const content = written.content ?? (rules.session ? NO_CONTENT : null);
  const carrier = await carrierOf(tx, kernel, sender);
  const purposes = purposesFor(channel, written);
  const price = (number: string, country: string, purpose: Purpose | null) =>
    prices.price(account_id, channel, number, country, currency, purpose);
  const { passed, refused } = judge(
    people.map((person) => ({ ...person, text: written.text })),
    {
      sender,
      stopped: new Set(),
      route: carrier.route,
      price: (number, country) => {
        const all = purposes.map((purpose) => price(number, country, purpose));
        return all.every((one) => one !== null) ? all[0]! : null;
      },
      counts: rules.counts,
      carries_file: content !== null && content.media_type !== null,
    },
  );
  const [first] = refused;
  if (first) throw new Problem(first.code, { message: `${messageOf(first.code)}: ${first.number}` });
  const origins = await originsOf(tx, sender, passed);
  return passed.map((person, n): Leg => {
    const origin = origins?.[n]?.code;
    const units = (purpose: Purpose | null) =>
      free ? 0 : price(person.number, person.country, purpose)!.price_micros * person.segments_count;
    const costs = Object.fromEntries(purposes.map((purpose) => [purpose ?? 'any', units(purpose)]));
    return {
      channel,
      sender_id: sender.id,
      from: origin ?? sender.code,
      sender_address: origin ?? carrier.address,
      connection_id: person.connection_id,
      text: person.text,
      type: typeOf(content),
      content,
      template_id: written.template_id,
      segments_count: person.segments_count,
      encoding: person.encoding,
      mccmnc: person.mccmnc,
      asked: written.purpose,
      prices: costs,
      price_micros: Math.max(...Object.values(costs)),
      trigger: fallback.trigger,
      wait_seconds: fallback.wait_seconds,
      state: 'waiting',
      reason: null,
      status: null,
      queued: null,
      handed: null,
      paid: false,
    };
  });
}

/** Everything it may be sent for when its turn comes: the dearest of them is held. */
function purposesFor(channel: ChannelName, { content: carried, text, purpose }: Written): (Purpose | null)[] {
  const { session } = channelRules(channel);
  if (!session) return [null];
  const content = carried ?? NO_CONTENT;
  if (session.outside === 'templates') return [content.template ? (content.purpose ?? 'utility') : 'service'];
  if (purpose) {
    demandPurpose(purpose, content);
    return [purpose];
  }
  const outside = viberPurpose(content);
  return fitsViberSession(content, text) ? ['session', outside] : [outside];
}

/** Whom the first way's conversation is closed to: they go on by the next that can, as if it had been looked at in its turn. */
export async function goOtherWays(
  tx: Tx,
  accepted: readonly Message[],
  closed: ReadonlySet<string>,
): Promise<Message[]> {
  const changes = accepted
    .filter(({ to }) => closed.has(to))
    .map(
      ({ account_id, id }) =>
        ({ account_id, message_id: id, status: 'rejected', source: 'gate', refusal: CLOSED }) as const,
    );
  if (changes.length === 0) return [...accepted];
  await applyStatuses(tx, changes);
  const rows = await tx.rows<Message>(sql`
    select ${messageColumns}, ${conversationOf} from messages m
    where m.account_id = ${changes[0]!.account_id} and m.id = any(${changes.map(({ message_id }) => message_id)}::uuid[])`);
  return accepted.map((message) => rows.find(({ id }) => id === message.id) ?? message);
}

/** Held for each is the dearest of all its ways. */
export const dearest = (people: readonly Passed[], ways: readonly (readonly Leg[])[]): readonly Passed[] =>
  people.map((person, n) => ({
    ...person,
    price_micros: Math.max(person.price_micros, ...ways[n]!.map((leg) => leg.price_micros)),
  }));

export async function insertWays(
  tx: Tx,
  drafted: Drafted,
  channel: ChannelName,
  people: readonly Passed[],
  ways: readonly (readonly Leg[])[],
): Promise<void> {
  const { account_id, priority, ids } = drafted;
  const leaves = (drafted.schedule ?? tx.now).getTime();
  const legs = people.map((person, n) => [
    { ...firstLeg(drafted, channel, person, drafted.origins?.[n]), queued: leaves },
    ...ways[n]!,
  ]);
  await insertOrders(tx, account_id, priority, ids, legs, leaves + drafted.validity_seconds * 1_000);
  for (const [n, id] of ids.entries())
    for (const { content } of ways[n]!)
      if (content?.media_id) await useMedia(tx, account_id, content.media_id, `message:${id}`);
}

/** The message as it was accepted, as the first of its ways. */
const firstLeg = (drafted: Drafted, channel: ChannelName, person: Passed, origin?: string): Leg => {
  const content: Content | null = drafted.content && { ...drafted.content, purpose: person.purpose };
  return {
    channel,
    sender_id: drafted.sender.id,
    from: origin ?? drafted.sender.code,
    sender_address: origin ?? drafted.sender_address,
    connection_id: person.connection_id,
    text: person.text,
    type: typeOf(content),
    content,
    template_id: drafted.template_id,
    segments_count: person.segments_count,
    encoding: person.encoding,
    mccmnc: person.mccmnc,
    asked: null,
    prices: {},
    price_micros: person.price_micros,
    trigger: null,
    wait_seconds: null,
    state: 'in_effect',
    reason: null,
    status: drafted.status,
    queued: null,
    handed: null,
    paid: false,
  };
};

/**
 * Drafts the fallback steps at the gate, with all checks and prices that can be determined before the steps start. The
 * session, stop list, and sender are checked again when a step starts.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Content, contentMessageType, NO_CONTENT, type Purpose } from '@parley/contract/messages/content.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import type { Trigger } from '@parley/contract/messages/triggers.ts';
import { Problem, problemMessage } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { PriceBook } from '../../billing/billing.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import type { TextLinks } from '../../links/links.ts';
import { useMedia } from '../../media/media.ts';
import { resolveSender } from '../../senders/senders.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { insertPlans } from '../model/fallback_rows.ts';
import type { FallbackStep } from '../model/fallback_steps.ts';
import { conversationId, messageColumns } from '../model/message_columns.ts';
import { maskCode, maskContent, sealSteps } from '../model/sealed_text.ts';
import { resolveCarrier } from '../routing/carrier.ts';
import type { KnownNetworks } from '../routing/known_networks.ts';
import { assignOrigins } from '../routing/number_pool.ts';
import { requirePurpose } from '../routing/purposes.ts';
import { applyStatuses } from '../status/status.ts';
import type { AcceptedBatch } from './queue.ts';
import { judge, type Passed } from './recipients.ts';

/** The reason for refusing a message outside a session: the person has to write first. */
export const SESSION_CLOSED = 'CONVERSATION_CLOSED';

export interface Fallback {
  readonly channel: ChannelName;
  readonly from: string;
  readonly trigger: Trigger;
  readonly wait_seconds: number | null;
  readonly compose: (sender: Sender) => Promise<ComposedMessage>;
}

interface StepsRequest {
  readonly account_id: string;
  readonly currency: string;
  readonly fallbacks: readonly Fallback[];
  readonly people: readonly Passed[];
  readonly prices: PriceBook;
  readonly networks: KnownNetworks;
  readonly links: TextLinks;
  /** True to omit the step for people who cannot get it; otherwise the request is refused. */
  readonly skips: boolean;
  /** Test messages are free. */
  readonly free: boolean;
  /** Checks a shared test sender and its recipients; null forbids shared senders. */
  readonly lent: ((sender: Sender) => Promise<void>) | null;
}

/** Runs `act` and prefixes the fields of its problems with the path of the fallback. */
export async function withFallbackPath<T>(index: number, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw prefixFields(index, error);
  }
}

function prefixFields(index: number, { name: problem, field, message, internal, others }: Problem): Problem {
  const path = (name: string | undefined) => `fallbacks.${index}${name && name !== 'to' ? `.${name}` : ''}`;
  return new Problem(problem, {
    field: path(field),
    message,
    internal,
    others: others.map((other) => ({ ...other, field: path(other.field) })),
  });
}

/** Returns each person's fallback steps, in the order of the people. */
export async function draftSteps(tx: Tx, kernel: { db: Db }, request: StepsRequest): Promise<FallbackStep[][]> {
  const steps: FallbackStep[][] = request.people.map(() => []);
  for (const [index, fallback] of request.fallbacks.entries()) {
    const drafted = await withFallbackPath(index, () => draftStep(tx, kernel, request, fallback));
    for (const { place, step } of drafted) steps[place]!.push(step);
  }
  return steps;
}

async function draftStep(
  tx: Tx,
  kernel: { db: Db },
  request: StepsRequest,
  fallback: Fallback,
): Promise<{ place: number; step: FallbackStep }[]> {
  const { account_id, currency, prices, people, links, free } = request;
  const { channel } = fallback;
  const sender = await resolveSender(tx, account_id, channel, fallback.from, { allowShared: request.lent !== null });
  if (sender.shared) await request.lent!(sender);
  const rules = channelRules(channel);
  const message = await fallback.compose(sender);
  const content = message.content ?? (rules.session ? NO_CONTENT : null);
  const carrier = await resolveCarrier(tx, kernel, sender, request.networks);
  const purposes = possiblePurposes(channel, message);
  const price = (number: string, country: string, purpose: Purpose | null) =>
    prices.price(account_id, channel, number, country, currency, purpose);
  const { personal } = message;
  const written = people.map((person) => ({
    ...person,
    text: personal?.[person.index]?.text ?? message.text,
    refusal: personal?.[person.index]?.refusal,
  }));
  const { passed, refused } = judge(message.content?.template ? written : await links.fill(written, sender), {
    channel,
    sender,
    stopped: new Set(),
    route: carrier.route,
    profile: carrier.profile,
    price: (number, country) => {
      const unitPrices = purposes.map((purpose) => price(number, country, purpose));
      return unitPrices.every((unitPrice) => unitPrice !== null) ? unitPrices[0]! : null;
    },
    counts: rules.counts,
    carries_file: content !== null && content.media_type !== null,
  });
  const [first] = refused;
  if (first && !request.skips)
    throw new Problem(first.code, { message: `${problemMessage(first.code)}: ${first.number}` });
  const origins = await assignOrigins(tx, sender, passed);
  const places = new Map(people.map(({ index }, place) => [index, place]));
  return passed.map((person, n) => {
    const origin = origins?.[n]?.code;
    const totalPrice = (purpose: Purpose | null) =>
      free ? 0 : price(person.number, person.country, purpose)!.price_micros * person.segments_count;
    const pricesByPurpose = Object.fromEntries(purposes.map((purpose) => [purpose ?? 'any', totalPrice(purpose)]));
    const own = personal?.[person.index]?.content ?? content;
    const step: FallbackStep = {
      channel,
      sender_id: sender.id,
      from: origin ?? sender.code,
      sender_address: origin ?? carrier.address,
      connection_id: person.connection_id,
      text: person.text,
      type: contentMessageType(own),
      content: own,
      template_id: message.template_id,
      segments_count: person.segments_count,
      encoding: person.encoding,
      mccmnc: person.mccmnc,
      asked: message.purpose,
      prices: pricesByPurpose,
      price_micros: Math.max(...Object.values(pricesByPurpose)),
      trigger: fallback.trigger,
      wait_seconds: fallback.wait_seconds,
      state: 'waiting',
      reason: null,
      status: null,
      queued: null,
      handed: null,
      paid: false,
    };
    return { place: places.get(person.index)!, step };
  });
}

/** Returns every purpose that the step may have when it starts. The hold covers the most expensive one. */
function possiblePurposes(channel: ChannelName, message: ComposedMessage): (Purpose | null)[] {
  const { session, purposes } = channelRules(channel);
  if (!session) return [null];
  const { text, purpose } = message;
  const content = message.content ?? NO_CONTENT;
  if (!purposes) return [content.template ? (content.purpose ?? 'utility') : 'service'];
  if (purpose) {
    requirePurpose(purposes, purpose, content);
    return [purpose];
  }
  const outside = purposes.outside(content);
  return purposes.fitsSession(content, text) ? ['session', outside] : [outside];
}

/**
 * Rejects the first step of the messages that have no open session. Each message then moves on to its next step, with
 * the same checks as after a failed step.
 */
export async function passOnClosed(
  tx: Tx,
  accepted: readonly Message[],
  closed: ReadonlySet<string>,
): Promise<Message[]> {
  const changes = accepted
    .filter(({ to }) => closed.has(to))
    .map(
      ({ account_id, id }) =>
        ({ account_id, message_id: id, status: 'rejected', source: 'gate', refusal: SESSION_CLOSED }) as const,
    );
  if (changes.length === 0) return [...accepted];
  await applyStatuses(tx, changes);
  const rows = await tx.rows<Message>(sql`
    select ${messageColumns}, ${conversationId} from messages m
    where m.account_id = ${changes[0]!.account_id}
      and m.id = any(${changes.map(({ message_id }) => message_id)}::uuid[])`);
  return accepted.map((message) => rows.find(({ id }) => id === message.id) ?? message);
}

/** Raises each message's price to that of its most expensive step, which the hold must cover. */
export const withHighestPrice = (
  people: readonly Passed[],
  steps: readonly (readonly FallbackStep[])[],
): readonly Passed[] =>
  people.map((person, n) => ({
    ...person,
    price_micros: Math.max(person.price_micros, ...steps[n]!.map((step) => step.price_micros)),
  }));

export async function insertFallbacks(
  tx: Tx,
  batch: AcceptedBatch,
  channel: ChannelName,
  people: readonly Passed[],
  steps: readonly (readonly FallbackStep[])[],
): Promise<void> {
  const { account_id } = batch;
  const sendMs = (batch.schedule ?? tx.now).getTime();
  const planned = people.flatMap((person, n) =>
    steps[n]!.length === 0
      ? []
      : [{ id: batch.ids[n]!, plan: [{ ...firstStep(batch, channel, person, n), queued: sendMs }, ...steps[n]!] }],
  );
  const ids = planned.map(({ id }) => id);
  const { code } = batch;
  const plans = planned.map(({ plan }) => (code === undefined ? plan : plan.map((step) => maskStep(step, code))));
  const sealed = planned.map(({ id, plan }) => (code === undefined ? null : sealSteps(tx.db.seals, id, plan)));
  const expires = sendMs + batch.validity_seconds * 1_000;
  if (ids.length > 0) await insertPlans(tx, account_id, ids, plans, expires, sealed);
  // A campaign registers the use of its files itself.
  if (batch.source === 'campaign') return;
  for (const { id, plan } of planned)
    for (const { content } of plan.slice(1))
      if (content?.media_id) await useMedia(tx, account_id, content.media_id, `message:${id}`);
}

const maskStep = (step: FallbackStep, code: string): FallbackStep => ({
  ...step,
  text: maskCode(step.text, code),
  content: maskContent(step.content, code),
});

/** Builds the first step from the accepted message itself. */
const firstStep = (batch: AcceptedBatch, channel: ChannelName, person: Passed, n: number): FallbackStep => {
  const own = batch.contents?.[n] ?? batch.content;
  const content: Content | null = own && { ...own, purpose: person.purpose };
  const origin = batch.origins?.[n];
  return {
    channel,
    sender_id: batch.sender.id,
    from: origin ?? batch.sender.code,
    sender_address: origin ?? batch.sender_address,
    connection_id: person.connection_id,
    text: person.text,
    type: contentMessageType(content),
    content,
    template_id: batch.in_session?.[n] ? null : batch.template_id,
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
    status: batch.status,
    queued: null,
    handed: null,
    paid: false,
  };
};

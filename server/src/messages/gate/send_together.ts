/**
 * Accepts plain messages for several requests of one account in one transaction, with shared reads, one insert, and one
 * hold per sender. The money is divided in the order of the requests: if the balance does not cover a request, only
 * that request is refused. The rules are those of `accept`, which also takes the requests that cannot share a
 * transaction.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { createMessage, Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { findSendingAccount, sendingProblem } from '../../accounts/accounts.ts';
import { stopTest } from '../../audiences/audiences.ts';
import { lockVolumes, openHold, type PriceBook, readPriceBook, readSpendable } from '../../billing/billing.ts';
import { type Guard, limitRefusal, loadGuard, reserve, stopFinder, stopProblem } from '../../guard/guard.ts';
import { runTogether, type Tx } from '../../kernel/db/db.ts';
import { GroupConflict, type GroupedCall, type Grouping, type Outcome } from '../../kernel/http/grouped_calls.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { resolveSender } from '../../senders/senders.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { type Carrier, resolveCarrier } from '../routing/carrier.ts';
import { findNetworks, type KnownNetwork, type KnownNetworks, onNetworks } from '../routing/known_networks.ts';
import { type AcceptRequest, acceptedTotal, checkPeople, type Draft, toBatch } from './accept.ts';
import { announceAccepted, batchMicros, toHold, toMessages } from './accepted_messages.ts';
import { composeMessage } from './compose.ts';
import { checkContent, storeReviews } from './content.ts';
import { readWays } from './limits.ts';
import { type AcceptedBatch, insertAccepted } from './queue.ts';
import { type Person, parseRecipients, refusalProblem } from './recipients.ts';
import { sendTime, sourceFor } from './send.ts';

type Input = Parsed<typeof createMessage>;
type Call = GroupedCall<Input>;

/** An accepted intermediate result, a problem if the call is refused, or null if the call must run by itself. */
type OrRefused<T> = T | Problem | null;

interface Drafted {
  readonly call: Call;
  readonly people: readonly Person[];
  readonly compose: (sender: Sender) => Promise<ComposedMessage>;
}

interface Route {
  readonly sender: Sender;
  readonly carrier: Carrier;
}

/** The data that all calls of a group read together. */
interface Shared {
  readonly account: Draft['account'];
  readonly guard: Guard;
  readonly prices: PriceBook;
  readonly networks: KnownNetworks;
  /** By channel and `from`. */
  readonly routes: ReadonlyMap<string, OrRefused<Route>>;
  readonly isStopped: (number: string, sender_id: string) => boolean;
  readonly spendable_micros: number;
}

/** The data that is read before it is known which calls have to run. */
interface Prepared {
  readonly drafts: ReadonlyMap<Call, OrRefused<Drafted>>;
  readonly shared: OrRefused<Shared>;
}

async function prepare(tx: Tx, kernel: Kernel, calls: readonly Call[], attempt: number): Promise<Prepared> {
  const drafts = new Map(calls.map((call) => [call, draft(tx, call)]));
  const ready = [...drafts.values()].filter(isReady);
  return { drafts, shared: await readShared(tx, kernel, ready, calls[0]!.actor.account_id, attempt) };
}

export const sendTogether: Grouping<Input, Prepared> = {
  accepts: ({ body }) => {
    const { rich, session, carried_by } = channelRules(body.channel);
    return !rich && !session && carried_by === 'routes' && !body.template && !body.fallbacks && !body.test;
  },
  prepare,
  async run(tx, kernel, calls, attempt, prepared) {
    const { drafts: all, shared } = prepared ?? (await prepare(tx, kernel, calls, attempt));
    const drafts = calls.map((call) => all.get(call)!);
    if (!isReady(shared)) return drafts.map((drafted) => (isReady(drafted) ? shared : drafted));
    const checked: OrRefused<AcceptedBatch>[] = [];
    for (const drafted of drafts) checked.push(isReady(drafted) ? await check(tx, kernel, shared, drafted) : drafted);
    const covered = await priceBatches(tx, checked, shared.spendable_micros);
    const counted = await countBatches(tx, shared.guard, covered);
    const messages = await store(tx, shared.prices, counted.filter(isReady));
    return counted.map((batch): Outcome<Message[]> => (isReady(batch) ? { result: messages.get(batch)! } : batch));
  },
};

const isReady = <T extends object>(step: OrRefused<T>): step is T => step !== null && !(step instanceof Problem);

function refusedOr<T>(error: unknown): OrRefused<T> {
  if (error instanceof Problem) return error;
  throw error;
}

/**
 * Recipients that are not valid numbers may be known addresses, which `accept` looks up. It also fills in the links of
 * a text.
 */
function draft(tx: Tx, call: Call): OrRefused<Drafted> {
  const { actor, input } = call;
  if ((input.body.text ?? input.body.caption)?.includes('{')) return null;
  try {
    const compose = composeMessage(tx, actor.account_id, input.body.channel, input.body);
    const { people, invalid } = parseRecipients(input.body.to.map((to) => ({ to, text: '' })));
    return invalid.length === 0 ? { call, people, compose } : null;
  } catch (error) {
    return refusedOr(error);
  }
}

const routeKey = ({ input: { body } }: Call): string => `${body.channel} ${body.from}`;

/** Returns a problem if the account may not send, and null if a trial limits its recipients. */
async function readShared(
  tx: Tx,
  kernel: Kernel,
  drafts: readonly Drafted[],
  account_id: string,
  attempt: number,
): Promise<OrRefused<Shared>> {
  const byRoute = new Map(drafts.map(({ call }) => [routeKey(call), call]));
  const numbers = [...new Set(drafts.flatMap(({ people }) => people.map(({ number }) => number)))];
  // Filled before the first number is routed.
  const networks = new Map<string, KnownNetwork>();
  const [account, guard, prices, isStopped, spendable_micros, routes] = await runTogether(
    findSendingAccount(tx, account_id),
    loadGuard(tx, account_id),
    readPriceBook(kernel, tx),
    stopTest(tx, account_id, numbers),
    readSpendable(tx, account_id, { lock: attempt > 1 }),
    runTogether(...[...byRoute.values()].map((call) => findRoute(tx, kernel, call, networks))),
  );
  const problem = sendingProblem(account);
  if (problem) return new Problem(problem);
  if (account!.trial) return null;
  if (account!.has_lookups)
    for (const [number, known] of await findNetworks(tx, account_id, tx.now, numbers)) networks.set(number, known);
  const found = new Map([...byRoute.keys()].map((key, index) => [key, routes[index]!]));
  return {
    account: account!,
    guard,
    prices: onNetworks(prices, networks),
    networks,
    isStopped,
    spendable_micros,
    routes: found,
  };
}

/** Shared test senders and number pools need reads and writes of their own. */
async function findRoute(
  tx: Tx,
  kernel: Kernel,
  { actor, input: { body } }: Call,
  networks: KnownNetworks,
): Promise<OrRefused<Route>> {
  try {
    const allowShared = actor.kind === 'user';
    const sender = await resolveSender(tx, actor.account_id, body.channel, body.from, { allowShared });
    if (sender.shared || sender.pool_id !== null) return null;
    return { sender, carrier: await resolveCarrier(tx, kernel, sender, networks) };
  } catch (error) {
    return refusedOr(error);
  }
}

async function check(tx: Tx, kernel: Kernel, shared: Shared, drafted: Drafted): Promise<OrRefused<AcceptedBatch>> {
  const { actor, input, address } = drafted.call;
  const { body } = input;
  const schedule = sendTime(body, tx.now);
  if (schedule && schedule <= tx.now) return new Problem('SCHEDULE_IN_PAST');
  const route = shared.routes.get(routeKey(drafted.call))!;
  if (!isReady(route)) return route;
  const { sender, carrier } = route;
  try {
    const message = await drafted.compose(sender);
    const people = drafted.people.map((person) => ({ ...person, text: message.text }));
    const request: AcceptRequest = {
      ...{ account_id: actor.account_id, channel: body.channel, from: body.from, recipients: [], refusal: 'throw' },
      ...{ source: sourceFor(actor), user_id: actor.user_id, key_id: actor.key_id, address },
      schedule,
      ...{ validity_seconds: body.validity_seconds, payload: body.payload },
    };
    const { account, guard, prices, networks } = shared;
    const draft: Draft = { request, account, guard, sender, message, content: null, carrier, prices, networks };
    const stopped = new Set(people.flatMap(({ number }) => (shared.isStopped(number, sender.id) ? [number] : [])));
    const { passed, refused } = await checkPeople(tx, draft, people, stopped);
    if (refused.length > 0) return refusalProblem(refused);
    const findStop = stopFinder(guard.stops, request.source);
    const stop = findStop && passed.map(findStop).find((found) => found !== null);
    if (stop) return stopProblem(stop);
    const screened = await checkContent(tx, kernel, draft, { passed, origins: null, steps: null });
    // A message that a limit refuses must not count, and limits are checked with the prices.
    if (guard.limits.length > 0 && screened.passed.some(({ volume }) => volume)) return null;
    return toBatch(tx, draft, screened.passed, null);
  } catch (error) {
    return refusedOr(error);
  }
}

/** Refuses the batches that the balance does not cover. Only the others count in the volumes of their destinations. */
async function priceBatches(
  tx: Tx,
  checked: readonly OrRefused<AcceptedBatch>[],
  spendable_micros: number,
): Promise<OrRefused<AcceptedBatch>[]> {
  const batches = checked.filter(isReady);
  if (batches.length === 0) return [...checked];
  const volumes = await lockVolumes(
    tx,
    batches[0]!.account_id,
    batches.flatMap(({ people }) => people),
  );
  let cost_micros = 0;
  const priced = checked.map((batch): OrRefused<AcceptedBatch> => {
    if (!isReady(batch)) return batch;
    const people = volumes.price(batch.people);
    const cost = batchMicros({ people });
    if (cost > 0 && cost_micros + cost > spendable_micros) return new Problem('BALANCE_NOT_ENOUGH');
    cost_micros += cost;
    return { ...batch, people: volumes.count(batch.people) };
  });
  await volumes.finish(tx);
  return priced;
}

/** Refuses the batches for which a limit of the account has no room. */
async function countBatches(
  tx: Tx,
  guard: Guard,
  checked: readonly OrRefused<AcceptedBatch>[],
): Promise<OrRefused<AcceptedBatch>[]> {
  const batches = checked.filter(isReady);
  if (guard.limits.length === 0 || batches.length === 0) return [...checked];
  const grants = await reserve(
    tx,
    batches[0]!.account_id,
    guard,
    batches.map(({ channel, sender, key_id, user_id, address, people }) => ({
      origin: { key_id, user_id, address },
      ...{ people, takes: 'all' as const },
      ...readWays({ channel, sender_id: sender.id }, people),
    })),
  );
  return checked.map((batch) => {
    const reached = isReady(batch) ? grants[batches.indexOf(batch)]!.reached : null;
    return reached ? limitRefusal(tx, reached) : batch;
  });
}

/** Returns the messages of each batch. */
async function store(
  tx: Tx,
  prices: PriceBook,
  batches: readonly AcceptedBatch[],
): Promise<Map<AcceptedBatch, Message[]>> {
  const messages = new Map(batches.map((batch) => [batch, toMessages(tx, batch, prices.networkName)]));
  if (batches.length === 0) return messages;
  wakeDispatch(tx, true);
  const merged = merge(batches);
  const writes = () => [
    ...merged.map((batch) => insertAccepted(tx, batch)),
    announceAccepted(tx, [...messages.values()].flat()),
  ];
  // The holds come last, because from here on every other change to the account's balance waits for this transaction.
  const holds = () => merged.map((batch) => holdMoney(tx, batch));
  if (merged.some(hasReviews)) {
    await runTogether(...writes());
    for (const batch of merged) await storeReviews(tx, batch);
    await runTogether(...holds());
  } else await runTogether(...writes(), ...holds());
  return messages;
}

const hasReviews = ({ people }: AcceptedBatch): boolean => people.some(({ review }) => review);

async function holdMoney(tx: Tx, batch: AcceptedBatch): Promise<void> {
  await openHold(tx, toHold(batch)).catch((error: unknown) => {
    // The money was spent since it was read.
    if (error instanceof Problem && error.name === 'BALANCE_NOT_ENOUGH') throw new GroupConflict();
    throw error;
  });
  tx.afterCommit(() => acceptedTotal.inc({ channel: batch.channel }, batch.people.length));
}

function mergeDates(batches: readonly AcceptedBatch[]): Pick<AcceptedBatch['decision'], 'network_dates'> {
  const dates = batches.flatMap(({ decision }) => Object.entries(decision.network_dates ?? {}));
  return dates.length === 0 ? {} : { network_dates: Object.fromEntries(dates) };
}

/** Joins the batches that differ only in their people and payloads, so that they share a statement and a hold. */
function merge(batches: readonly AcceptedBatch[]): AcceptedBatch[] {
  const merged = new Map<string, AcceptedBatch[]>();
  for (const batch of batches) {
    const { channel, sender, source, user_id, key_id, schedule, validity_seconds } = batch;
    const key = JSON.stringify([channel, sender.id, source, user_id, key_id, schedule, validity_seconds]);
    merged.set(key, [...(merged.get(key) ?? []), batch]);
  }
  return [...merged.values()].map((equal) => ({
    ...equal[0]!,
    ids: equal.flatMap(({ ids }) => ids),
    people: equal.flatMap(({ people }) => people),
    decision: {
      ...equal[0]!.decision,
      messages: equal.reduce((sum, { people }) => sum + people.length, 0),
      ...mergeDates(equal),
    },
    payloads: equal.some(({ payload }) => payload != null)
      ? equal.flatMap(({ people, payload }) => people.map(() => payload ?? null))
      : null,
  }));
}

/**
 * Counts messages against the limits of their account, in the transaction that accepts them. A counter is locked until
 * that transaction ends, so parallel senders never exceed a limit together, and a crash leaves either the messages with
 * their count or neither. Counters are locked in the order of their keys, and before the balance.
 */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { type Counted, type Demand, NO_COUNTER, readDemand } from './demand.ts';
import { counterAccount, type Guard, type LimitRule } from './rules.ts';
import { noteBlocked, openViolations, type Reached } from './violations.ts';
import { addWarnings, crossedBy } from './warnings.ts';
import { type Window, windowAt } from './windows.ts';

/** Messages that are accepted together. */
export interface Request extends Counted {
  /**
   * `all`: all messages of the request are accepted, or none. `first`: the messages before the first one that finds no
   * room are accepted; a limit per recipient only skips its recipient.
   */
  readonly takes: 'all' | 'first';
}

export interface Grant {
  /** The rule that refuses the request, or that ends it after the first messages. */
  readonly reached: LimitRule | null;
  /** The places of the accepted messages in `people`. */
  readonly granted: readonly number[];
  /** The places of the messages whose recipient has reached a limit of their own. */
  readonly skipped: readonly number[];
  /** The messages whose recipient has reached the frequency cap. */
  readonly capped: readonly number[];
}

interface Counter {
  readonly rule: LimitRule;
  readonly window: Window;
  readonly scope: string;
  demand: number;
  /** True if the limit had no room for a message. */
  refuses: boolean;
  /** The count of the interval. It includes this transaction only once its messages are counted. */
  used: number;
  blocked: number;
}

/** Limits that only notify have this ceiling. */
const NO_CEILING = Number.MAX_SAFE_INTEGER;

/** Returns the messages granted to each request, in turn. Messages refused to one leave room for the next. */
export async function reserve(
  tx: Tx,
  account_id: string,
  { limits }: Guard,
  requests: readonly Request[],
): Promise<Grant[]> {
  const counters: Counter[] = [];
  const findCounter = collectCounters(tx, counters);
  const demands = requests.map((request) => readDemand(limits, request, findCounter));
  if (counters.length === 0) return requests.map(grantAll);
  for (const demand of demands) addAmounts(counters, demand);
  await addDemand(tx, account_id, counters);
  const isFree = counters.every(({ rule, used, demand }) => !rule.block_traffic || used + demand <= rule.limit);
  const before = counters.map(({ used }) => used);
  const grants = requests.map((request, n) => (isFree ? grantAll(request) : take(request, demands[n]!, counters)));
  if (isFree) for (const counter of counters) counter.used += counter.demand;
  else await giveBack(tx, account_id, counters, before);
  const limited = [...counters.entries()].filter(([, { rule }]) => !rule.window);
  const [reached, below] = [true, false].map((wanted) =>
    limited.filter(([n, counter]) => isReached(counter, before[n]!) === wanted),
  );
  await openViolations(
    tx,
    account_id,
    reached!.map(([, counter]) => counter),
  );
  const near = below!.flatMap(([n, counter]) => crossedBy(counter, before[n]!));
  await addWarnings(tx, account_id, near);
  return grants;
}

/** Returns the function that finds the counter of a rule and scope, and adds it if it is new. */
function collectCounters(tx: Tx, counters: Counter[]): (rule: LimitRule, scope: string) => number {
  const places = new Map<LimitRule, Map<string, number>>();
  return (rule, scope) => {
    let own = places.get(rule);
    if (!own) {
      own = new Map();
      places.set(rule, own);
    }
    let place = own.get(scope);
    if (place === undefined) {
      place = counters.length;
      own.set(scope, place);
      const window = rule.window ?? windowAt(rule.interval, tx.now);
      counters.push({ rule, scope, window, demand: 0, refuses: false, used: 0, blocked: 0 });
    }
    return place;
  };
}

function addAmounts(counters: readonly Counter[], demand: Demand): void {
  for (let n = 0; n < demand.counters.length; n++) {
    const place = demand.counters[n]!;
    if (place !== NO_COUNTER) counters[place]!.demand += demand.amounts[n]!;
  }
}

const NONE = { granted: [], skipped: [], capped: [] };
const grantAll = ({ people }: Request): Grant => ({ ...NONE, reached: null, granted: people.map((_, n) => n) });

const isFull = ({ rule, used }: Counter, amount: number): boolean => rule.block_traffic && used + amount > rule.limit;

/** Counts the messages that the request gets. */
function take(request: Request, demand: Demand, counters: readonly Counter[]): Grant {
  return request.takes === 'all' ? takeAll(request, demand, counters) : takeFirst(request, demand, counters);
}

function takeAll(request: Request, demand: Demand, counters: readonly Counter[]): Grant {
  const full = countOn(demand, counters, 0, demand.counters.length);
  if (full === null) return grantAll(request);
  full.refuses = true;
  full.blocked += request.people.length;
  return { ...NONE, reached: full.rule };
}

/** Counts amounts, or returns the counter without room, in which case nothing is counted. */
function countOn(
  { counters: places, amounts }: Demand,
  counters: readonly Counter[],
  start: number,
  end: number,
): Counter | null {
  for (let n = start; n < end; n++) {
    if (places[n] === NO_COUNTER) continue;
    const counter = counters[places[n]!]!;
    if (isFull(counter, amounts[n]!)) {
      for (let back = start; back < n; back++)
        if (places[back] !== NO_COUNTER) counters[places[back]!]!.used -= amounts[back]!;
      return counter;
    }
    counter.used += amounts[n]!;
  }
  return null;
}

function takeFirst({ people }: Request, demand: Demand, counters: readonly Counter[]): Grant {
  const granted: number[] = [];
  const skipped: number[] = [];
  const capped: number[] = [];
  for (let n = 0; n < people.length; n++) {
    const [start, end] = [n * demand.width, (n + 1) * demand.width];
    const common = findFull(demand, counters, start, end, true);
    if (common) {
      common.refuses = true;
      return { reached: common.rule, granted, skipped, capped };
    }
    const full = findFull(demand, counters, start, end, false);
    if (full) {
      full.refuses = true;
      full.blocked++;
      skipped.push(n);
      if (full.rule.window) capped.push(n);
      continue;
    }
    countOn(demand, counters, start, end);
    granted.push(n);
  }
  return { reached: null, granted, skipped, capped };
}

/** The first counter without room for a message: of the limits that end the request, or of those per recipient. */
function findFull(
  { counters: places, amounts }: Demand,
  counters: readonly Counter[],
  start: number,
  end: number,
  is_common: boolean,
): Counter | null {
  for (let n = start; n < end; n++) {
    if (places[n] === NO_COUNTER) continue;
    const counter = counters[places[n]!]!;
    if ((counter.rule.type === 'messages_per_recipient') === is_common) continue;
    if (isFull(counter, amounts[n]!)) return counter;
  }
  return null;
}

/** True if this transaction reached the limit, or the limit refused messages. */
const isReached = ({ rule, used, refuses }: Counter, before: number): boolean =>
  refuses || (before < rule.limit && used >= rule.limit);

/** Adds the whole demand and locks the counters. Afterward, `used` is the previous value of the counters. */
async function addDemand(tx: Tx, account_id: string, counters: readonly Counter[]): Promise<void> {
  const rows = await tx.rows<{ limit_id: string; scope: string; used: number }>(sql`
    insert into limit_counters as c (account_id, limit_id, window_start, scope, used, ceiling)
    select t.account_id, t.limit_id, t.window_start, t.scope, t.used, t.ceiling
    from unnest(${counters.map(({ rule }) => counterAccount(rule, account_id))}::uuid[],
                ${counters.map(({ rule }) => rule.id)}::uuid[],
                ${counters.map(({ window }) => window.start)}::timestamptz[],
                ${counters.map(({ scope }) => scope)}::text[], ${counters.map(({ demand }) => demand)}::bigint[],
                ${counters.map(({ rule }) => (rule.block_traffic ? rule.limit : NO_CEILING))}::bigint[])
      as t(account_id, limit_id, window_start, scope, used, ceiling)
    order by t.limit_id, t.window_start, t.scope
    on conflict (account_id, limit_id, window_start, scope) do update set
      used = c.used + excluded.used, ceiling = greatest(c.ceiling, excluded.ceiling)
    returning c.limit_id, c.scope, c.used`);
  const used = new Map(rows.map((row) => [`${row.limit_id} ${row.scope}`, row.used]));
  for (const counter of counters) counter.used = used.get(`${counter.rule.id} ${counter.scope}`)! - counter.demand;
}

/** Subtracts the part of the demand that was not granted. */
async function giveBack(
  tx: Tx,
  account_id: string,
  counters: readonly Counter[],
  before: readonly number[],
): Promise<void> {
  const over = counters
    .map((counter, n) => ({ ...counter, excess: before[n]! + counter.demand - counter.used }))
    .filter(({ excess }) => excess > 0);
  if (over.length === 0) return;
  await tx.run(sql`
    update limit_counters c set used = c.used - t.excess
    from unnest(${over.map(({ rule }) => counterAccount(rule, account_id))}::uuid[],
                ${over.map(({ rule }) => rule.id)}::uuid[], ${over.map(({ window }) => window.start)}::timestamptz[],
                ${over.map(({ scope }) => scope)}::text[], ${over.map(({ excess }) => excess)}::bigint[])
      as t(account_id, limit_id, window_start, scope, excess)
    where c.account_id = t.account_id and c.limit_id = t.limit_id and c.window_start = t.window_start
      and c.scope = t.scope`);
}

/** The refusal of messages by a limit. */
export function describeLimit(tx: Tx, account_id: string, rule: LimitRule, blocked: number): Problem {
  noteRefusal(tx, account_id, rule, blocked);
  return limitRefusal(tx, rule);
}

/** Notes that the limit refused messages, in case the transaction, and with it the violation, is rolled back. */
export function noteRefusal(tx: Tx, account_id: string, rule: LimitRule, blocked: number): void {
  const reached: Reached = { rule, window: windowAt(rule.interval, tx.now), scope: '', blocked };
  tx.afterRollback(() => noteBlocked(tx.db, account_id, reached));
}

function reachedText(inherited: LimitRule['inherited']): string {
  if (!inherited) return 'Your account has reached a limit';
  if (inherited.together) return 'Your company and its sub-accounts have reached a shared limit';
  return 'Your account has reached a limit of its parent company';
}

export function limitRefusal({ now }: Tx, { id, interval, inherited }: LimitRule): Problem {
  const resets = windowAt(interval, now).end.toISOString().slice(0, 16).replace('T', ' ');
  return new Problem('TRAFFIC_LIMIT_REACHED', {
    message: `${reachedText(inherited)} per ${interval}. It resets at ${resets} UTC`,
    internal: `limit ${id}`,
  });
}

/**
 * Counts messages against the limits of their account, in the transaction that accepts them. A counter is locked until
 * that transaction ends, so parallel senders never exceed a limit together, and a crash leaves either the messages with
 * their count or neither. Counters are locked in the order of their keys, and before the balance.
 */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { type Counted, counterAccount, type Guard, type LimitRule, type Origin, readDemand } from './rules.ts';
import { noteBlocked, openViolations, type Reached } from './violations.ts';
import { addWarnings, crossedBy } from './warnings.ts';
import { type Window, windowAt } from './windows.ts';

/** Messages that are accepted together. */
export interface Request {
  readonly origin: Origin;
  readonly people: readonly Counted[];
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
  /** Those of them whose recipient has reached the frequency cap. */
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
  const counters = new Map<string, Counter>();
  const demands = requests.map(({ people, origin }) =>
    people.map((person) => limits.flatMap((rule) => countersFor(tx, counters, rule, person, origin))),
  );
  if (counters.size === 0) return requests.map(grantAll);
  const all = [...counters.values()];
  await addDemand(tx, account_id, all);
  const isFree = all.every(({ rule, used, demand }) => !rule.block_traffic || used + demand <= rule.limit);
  const before = new Map(all.map((counter) => [counter, counter.used]));
  const grants = requests.map((request, n) => (isFree ? grantAll(request) : take(request, demands[n]!)));
  if (isFree) for (const counter of all) counter.used += counter.demand;
  else await giveBack(tx, account_id, all, before);
  const limited = all.filter(({ rule }) => !rule.window);
  const [reached, below] = [true, false].map((wanted) =>
    limited.filter((counter) => isReached(counter, before.get(counter)!) === wanted),
  );
  await openViolations(tx, account_id, reached!);
  const near = below!.flatMap((counter) => crossedBy(counter, before.get(counter)!));
  await addWarnings(tx, account_id, near);
  return grants;
}

interface Demand {
  readonly counter: Counter;
  readonly amount: number;
}

function countersFor(
  tx: Tx,
  counters: Map<string, Counter>,
  rule: LimitRule,
  person: Counted,
  origin: Origin,
): Demand[] {
  return readDemand(rule, person, origin).map(({ scope, amount }) => {
    const key = `${rule.id} ${scope}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = {
        rule,
        scope,
        window: rule.window ?? windowAt(rule.interval, tx.now),
        demand: 0,
        refuses: false,
        used: 0,
        blocked: 0,
      };
      counters.set(key, counter);
    }
    counter.demand += amount;
    return { counter, amount };
  });
}

const NONE = { granted: [], skipped: [], capped: [] };
const grantAll = ({ people }: Request): Grant => ({ ...NONE, reached: null, granted: people.map((_, n) => n) });

const isFull = ({ counter, amount }: Demand, extra = 0): boolean =>
  counter.rule.block_traffic && counter.used + extra + amount > counter.rule.limit;

/** Counts the messages that the request gets. */
function take({ people, takes }: Request, demands: readonly Demand[][]): Grant {
  if (takes === 'all') {
    const full = findFull(demands.flat());
    if (full) {
      full.refuses = true;
      full.blocked += people.length;
      return { ...NONE, reached: full.rule };
    }
    for (const { counter, amount } of demands.flat()) counter.used += amount;
    return { ...NONE, reached: null, granted: people.map((_, n) => n) };
  }
  const granted: number[] = [];
  const skipped: number[] = [];
  const capped: number[] = [];
  for (const [n, demand] of demands.entries()) {
    const full = demand.filter((one) => isFull(one)).map(({ counter }) => counter);
    const common = full.find(({ rule }) => rule.type !== 'messages_per_recipient');
    if (common) {
      common.refuses = true;
      return { reached: common.rule, granted, skipped, capped };
    }
    if (full[0]) {
      full[0].refuses = true;
      full[0].blocked++;
      skipped.push(n);
      if (full[0].rule.window) capped.push(n);
      continue;
    }
    for (const { counter, amount } of demand) counter.used += amount;
    granted.push(n);
  }
  return { reached: null, granted, skipped, capped };
}

function findFull(demands: readonly Demand[]): Counter | null {
  const sums = new Map<Counter, number>();
  for (const demand of demands) {
    const sum = sums.get(demand.counter) ?? 0;
    if (isFull(demand, sum)) return demand.counter;
    sums.set(demand.counter, sum + demand.amount);
  }
  return null;
}

/** True if this transaction reached the limit, or the limit refused messages. */
const isReached = ({ rule, used, refuses }: Counter, before: number): boolean =>
  refuses || (before < rule.limit && used >= rule.limit);

/** Adds the whole demand and locks the counters. Afterwards, `used` is what the counters had before. */
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
  before: ReadonlyMap<Counter, number>,
): Promise<void> {
  const over = counters
    .map((counter) => ({ ...counter, excess: before.get(counter)! + counter.demand - counter.used }))
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
export function limitProblem(tx: Tx, account_id: string, rule: LimitRule, blocked: number): Problem {
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

/**
 * Violations: the intervals in which limits were reached. A violation starts in the transaction that reaches the limit,
 * and ends when the interval ends or the limit changes.
 */
import { type Violation, violationExpired, violationStarted } from '@parley/contract/guard/limits.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import type { LimitRule } from './rules.ts';
import type { Window } from './windows.ts';

export interface Reached {
  readonly rule: LimitRule;
  readonly window: Window;
  readonly scope: string;
  readonly blocked: number;
}

interface ViolationRef {
  account_id: string;
  id: string;
}

/** Ends a violation after its interval. */
export const expireViolation = job<ViolationRef>('guard.expire_violation');
/** Sends the alerts about a violation that has started. */
export const reportViolation = job<ViolationRef>('guard.report_violation');

export const violationColumns: Sql = raw(`
  v.id, v.account_id, v.limit_id, v.scope, v.blocked, v.create_date, v.expire_date, v.end_date,
  v.rule->>'type' as type, v.rule->'channels' as channels, v.rule->'countries' as countries,
  v.rule->'prefixes' as prefixes, (v.rule->>'limit')::bigint as "limit", v.rule->>'interval' as "interval",
  (v.rule->>'block_traffic')::boolean as block_traffic, coalesce(v.limit_account_id, v.account_id) as limit_account_id,
  (select a.company_name from accounts a where a.id = v.account_id) as account_name,
  (select a.company_name from accounts a where a.id = coalesce(v.limit_account_id, v.account_id))
    as limit_account_name`);

/** Starts a violation for each limit, or adds the blocked messages to the current one. */
export async function openViolations(tx: Tx, account_id: string, reached: readonly Reached[]): Promise<void> {
  const byLimit = new Map<string, Reached>();
  for (const one of reached) {
    const other = byLimit.get(one.rule.id);
    byLimit.set(one.rule.id, other ? { ...other, blocked: other.blocked + one.blocked } : one);
  }
  // In the order of the limits, so that parallel transactions never wait for each other.
  for (const limit_id of [...byLimit.keys()].sort()) {
    const { rule, window, scope, blocked } = byLimit.get(limit_id)!;
    const { id: _, inherited, ...snapshot } = rule;
    const { is_new, ...violation } = await tx.one<Violation & { is_new: boolean }>(sql`
      insert into violations as v (account_id, id, limit_id, window_start, scope, rule, blocked, create_date,
        expire_date, limit_account_id)
      values (${account_id}, ${newId()}, ${limit_id}, ${window.start}, ${scope}, ${JSON.stringify(snapshot)}::jsonb,
        ${blocked}, ${tx.now}, ${window.end}, ${inherited?.account_id ?? null})
      on conflict (account_id, limit_id, window_start) where end_date is null
        do update set blocked = v.blocked + excluded.blocked
      returning ${violationColumns}, v.xmax = 0 as is_new`);
    if (!is_new) continue;
    for (const hears of hearers(violation)) emit(tx, violationStarted, hears, seenBy(hears, violation));
    await enqueue(tx, expireViolation, { account_id, id: violation.id }, { start_after: window.end });
    await enqueue(tx, reportViolation, { account_id, id: violation.id });
  }
}

/** Blocked messages that are not stored yet, by account, limit, and interval: several accounts can share a limit. */
const waiting = new WeakMap<Db, Map<string, { account_id: string; reached: Reached }>>();
const writing = new WeakSet<Db>();

/**
 * Adds blocked messages to the violation, in a separate transaction, because that of the messages was rolled back.
 * One statement at a time writes them, so that a flood of refused calls costs little. A crash loses what is not written
 * yet.
 */
export function noteBlocked({ root }: Db, account_id: string, reached: Reached): void {
  const notes = waiting.get(root) ?? new Map<string, { account_id: string; reached: Reached }>();
  waiting.set(root, notes);
  const key = `${account_id} ${reached.rule.id} ${reached.window.start.getTime()}`;
  const blocked = (notes.get(key)?.reached.blocked ?? 0) + reached.blocked;
  notes.set(key, { account_id, reached: { ...reached, blocked } });
  if (writing.has(root)) return;
  writing.add(root);
  void writeNotes(root, notes).finally(() => writing.delete(root));
}

async function writeNotes(db: Db, notes: Map<string, { account_id: string; reached: Reached }>): Promise<void> {
  for (let [entry] = notes; entry; [entry] = notes) {
    const [key, { account_id, reached }] = entry;
    notes.delete(key);
    // The count is for information. The messages themselves stay blocked.
    await db.tx((tx) => openViolations(tx, account_id, [reached])).catch(() => {});
  }
}

const end = (tx: Tx, condition: Sql): Promise<Violation[]> =>
  tx.rows<Violation>(sql`
    update violations v set end_date = ${tx.now} where ${condition} and v.end_date is null
    returning ${violationColumns}`);

async function announceEnd(tx: Tx, condition: Sql): Promise<void> {
  for (const violation of await end(tx, condition))
    for (const hears of hearers(violation)) emit(tx, violationExpired, hears, seenBy(hears, violation));
}

/** The account whose messages reached the limit, and the company that has set it. */
const hearers = ({ account_id, limit_account_id }: Violation): string[] => [...new Set([account_id, limit_account_id])];

/** A company does not see the recipients, senders, keys, and users of its sub-accounts. */
export const seenBy = (viewer_id: string, violation: Violation): Violation =>
  violation.account_id === viewer_id ? violation : { ...violation, scope: '' };

/** Ends the violations of a limit that was changed or deleted, including those of sub-accounts. */
export async function endViolations(tx: Tx, account_id: string, limit_id: string): Promise<void> {
  await announceEnd(tx, sql`v.account_id = ${account_id} and v.limit_id = ${limit_id}`);
  await announceEnd(tx, sql`v.limit_account_id = ${account_id} and v.limit_id = ${limit_id}`);
}

/** A repeated run finds that the violation has ended. */
export const expire = (tx: Tx, { account_id, id }: ViolationRef): Promise<void> =>
  announceEnd(tx, sql`v.account_id = ${account_id} and v.id = ${id} and v.expire_date <= ${tx.now}`);

export const findViolation = (db: Queryable, { account_id, id }: ViolationRef): Promise<Violation | null> =>
  db.maybeOne<Violation>(
    sql`select ${violationColumns} from violations v where v.account_id = ${account_id} and v.id = ${id}`,
  );

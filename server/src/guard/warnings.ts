/**
 * Warnings: the percentages of a limit that are reached before the limit is. The transaction that counts the messages
 * stores the warning, so that it exists exactly if the messages do. Only a higher percentage replaces it, so an
 * interval has each warning at most once.
 */
import { type LimitWarning, limitWarning } from '@parley/contract/guard/limits.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { counterAccount, type LimitRule } from './rules.ts';
import type { Window } from './windows.ts';

export interface WarningRef {
  account_id: string;
  limit_id: string;
  id: string;
  /** The account whose messages reached the percentage, if it shares the counter of its company. */
  sender_id?: string | undefined;
}

/** Sends the email about a warning. */
export const reportWarning = job<WarningRef>('guard.report_warning');

interface Near {
  readonly rule: LimitRule;
  readonly window: Window;
  readonly scope: string;
  readonly used: number;
  readonly percent: number;
}

/** Returns the highest percentage that the counter reached since `before`; empty if it reached none. */
export function crossedBy(counter: Omit<Near, 'percent'>, before: number): Near[] {
  const { rule, window, scope, used } = counter;
  const percent = rule.warn_at.findLast((one) => before * 100 < one * rule.limit && used * 100 >= one * rule.limit);
  return percent === undefined ? [] : [{ rule, window, scope, used, percent }];
}

const columns: Sql = raw(`
  n.id, n.account_id, n.limit_id, n.scope, n.percent, n.used, n.create_date, n.expire_date,
  n.rule->>'type' as type, n.rule->'channels' as channels, n.rule->'countries' as countries,
  n.rule->'prefixes' as prefixes, (n.rule->>'limit')::bigint as "limit", n.rule->>'interval' as "interval",
  (n.rule->>'block_traffic')::boolean as block_traffic, coalesce(n.limit_account_id, n.account_id) as limit_account_id,
  (select a.company_name from accounts a where a.id = n.account_id) as account_name,
  (select a.company_name from accounts a where a.id = coalesce(n.limit_account_id, n.account_id))
    as limit_account_name`);

/** Warns once per limit, in the order of the limits, so that parallel transactions never wait for each other. */
export async function addWarnings(tx: Tx, account_id: string, crossed: readonly Near[]): Promise<void> {
  const highest = new Map<string, Near>();
  for (const near of crossed) {
    const other = highest.get(near.rule.id);
    if (!other || other.percent < near.percent) highest.set(near.rule.id, near);
  }
  for (const limit_id of [...highest.keys()].sort()) {
    const { rule, window, scope, used, percent } = highest.get(limit_id)!;
    const { id: _, inherited, ...snapshot } = rule;
    const counter_id = counterAccount(rule, account_id);
    const warning = await tx.maybeOne<LimitWarning>(sql`
      insert into limit_warnings as n (account_id, limit_id, window_start, id, scope, percent, used, rule, create_date,
        expire_date, limit_account_id)
      values (${counter_id}, ${limit_id}, ${window.start}, ${newId()}, ${scope}, ${percent}, ${used},
        ${JSON.stringify(snapshot)}::jsonb, ${tx.now}, ${window.end}, ${inherited?.account_id ?? null})
      on conflict (account_id, limit_id, window_start) do update set
        id = excluded.id, scope = excluded.scope, percent = excluded.percent, used = excluded.used,
        rule = excluded.rule, create_date = excluded.create_date
      where n.percent < excluded.percent
      returning ${columns}`);
    if (!warning) continue;
    for (const hears of new Set([account_id, counter_id, warning.limit_account_id]))
      emit(tx, limitWarning, hears, hears === account_id ? warning : { ...warning, scope: '' });
    const sender_id = counter_id === account_id ? undefined : account_id;
    await enqueue(tx, reportWarning, { account_id: counter_id, limit_id, id: warning.id, sender_id });
  }
}

/** Returns null if a higher percentage was reached, or the limit was changed or deleted. */
export const findWarning = (db: Queryable, { account_id, limit_id, id }: WarningRef): Promise<LimitWarning | null> =>
  db.maybeOne<LimitWarning>(sql`
    select ${columns} from limit_warnings n
    where n.account_id = ${account_id} and n.limit_id = ${limit_id} and n.id = ${id}`);

/** A changed limit may warn again in the same interval. */
export const deleteWarnings = (tx: Tx, account_ids: Sql, limit_id: string) =>
  tx.run(sql`delete from limit_warnings where account_id in (${account_ids}) and limit_id = ${limit_id}`);

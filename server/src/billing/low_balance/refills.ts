/** The settings of automatic refills, for the API. */
import { type Refill, refillChanged, type updateRefill as Update } from '@parley/contract/billing/refills.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { lockSubAccount } from '../../accounts/accounts.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { balanceCrossed } from '../ledger/balance.ts';
import { findRefill, lockBalances, saveRefill } from './refill_queries.ts';

const UNIT = 1_000_000;
const DEFAULTS = { threshold_micros: 10 * UNIT, amount_micros: 20 * UNIT, daily_limit_micros: 100 * UNIT };

export async function getRefill(db: Queryable, now: Date, parent_id: string, id: string): Promise<Refill> {
  const row = await findRefill(db, id, now);
  if (row && row.parent_id === parent_id) {
    const { account_id, enabled, threshold_micros, amount_micros, daily_limit_micros } = row;
    const { today_micros, stop_reason, next_date } = row;
    return {
      ...{ sub_account_id: account_id, enabled, threshold_micros, amount_micros, daily_limit_micros },
      ...{ today_micros, stop_reason, next_date },
    };
  }
  const sub = await db.maybeOne(sql`select 1 from accounts where id = ${id} and parent_id = ${parent_id}`);
  if (!sub) throw new Problem('SUBACCOUNT_NOT_FOUND');
  return { sub_account_id: id, enabled: false, ...DEFAULTS, today_micros: 0, stop_reason: null, next_date: null };
}

export async function updateRefill(ctx: Ctx, id: string, body: Parsed<typeof Update>['body']): Promise<Refill> {
  const { tx, actor } = ctx;
  const sub = await lockSubAccount(tx, actor.account_id, id);
  if (body.daily_limit_micros < body.amount_micros) throw new Problem('REFILL_LIMIT_TOO_LOW');
  // Serializes this change with the job that moves money.
  await lockBalances(tx, [actor.account_id, id]);
  await saveRefill(tx, { account_id: id, ...body });
  record(tx, ctx, {
    action: 'refill.changed',
    target: { type: 'account', id, name: sub.company_name },
    detail: body,
  });
  emit(tx, refillChanged, actor.account_id, { id });
  await enqueue(tx, balanceCrossed, { account_id: id });
  return getRefill(tx, tx.now, actor.account_id, id);
}

/**
 * Writes planned price changes to the price list once their time has come. Until then, and until this has happened,
 * readers of prices apply the changes themselves. The history has the planned time, so it does not matter when this
 * runs. Every other change to a list price runs it first, so that changes are recorded in the order of their times.
 */
import { pricePlanChanged } from '@parley/contract/admin/price_plans.ts';
import { type PriceDifference, pricesChanged } from '@parley/contract/admin/prices.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import * as queries from './price_queries.ts';

interface DuePlan {
  id: string;
  user_id: string;
  user_name: string;
  import_id: string | null;
  /** Exact, in milliseconds. */
  effective_ms: number;
}

export async function applyDuePlans(tx: Tx): Promise<void> {
  const isDue = await tx.maybeOne(sql`select 1 from planned_prices where effective_date <= ${tx.now} limit 1`);
  if (!isDue) return;
  // Other changes of prices wait, so that none is written between two plans.
  await queries.lockRevision(tx);
  const plans = await tx.rows<DuePlan>(sql`
    select id, user_id, user_name, import_id, (extract(epoch from effective_date) * 1000)::bigint as effective_ms
    from price_plans where status = 'announced' and effective_date <= ${tx.now}
    order by price_plans.effective_date, id for update`);
  for (const plan of plans) {
    const changes = await tx.rows<PriceDifference>(sql`
      select p.channel, p.country, p.mccmnc, p.purpose, p.currency, r.price_micros as before_micros,
             p.price_micros as after_micros
      from planned_prices p left join rates r
        on r.account_id is null and r.channel = p.channel and r.country = p.country and r.currency = p.currency
          and r.mccmnc is not distinct from p.mccmnc and r.purpose is not distinct from p.purpose
      where p.plan_id = ${plan.id} and r.price_micros is distinct from p.price_micros`);
    if (changes.length > 0) {
      await queries.announceChanges(tx, { ...plan, date: new Date(plan.effective_ms) });
      await queries.writeChanges(tx, changes);
      await emitToOperators(tx, pricesChanged, { count: changes.length });
    }
    failpoint('before_plan_applied');
    await tx.run(sql`update planned_prices set effective_date = null where plan_id = ${plan.id}`);
    await tx.run(sql`update price_plans set status = 'applied', update_date = ${tx.now} where id = ${plan.id}`);
    await emitToOperators(tx, pricePlanChanged, { id: plan.id });
  }
}

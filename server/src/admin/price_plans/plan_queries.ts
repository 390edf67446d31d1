import type { PlanAccount, PricePlan } from '@parley/contract/admin/price_plans.ts';
import type { PriceDifference } from '@parley/contract/admin/prices.ts';
import { newId } from '../../kernel/clock.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Page } from '../../kernel/db/list.ts';

const SHOWN_DIFFERENCES = 20;

export interface PlanRow {
  id: string;
  user_id: string;
  import_id: string | null;
  status: PricePlan['status'];
  effective_date: string;
  effective_ms: number;
  notice_days: number;
  audience: PricePlan['audience'];
  revision: number;
  notice_date: string | null;
  assess_date: string | null;
}

const rowColumns: Sql = sql`
  p.id, p.user_id, p.import_id, p.status, p.effective_date, p.notice_days, p.audience, p.revision, p.notice_date,
  p.assess_date, (extract(epoch from p.effective_date) * 1000)::bigint as effective_ms`;

export const findPlan = (db: Queryable, id: string) =>
  db.maybeOne<PlanRow>(sql`select ${rowColumns} from price_plans p where p.id = ${id}`);

export const lockPlan = (tx: Tx, id: string) =>
  tx.maybeOne<PlanRow>(sql`select ${rowColumns} from price_plans p where p.id = ${id} for update`);

const planColumns: Sql = sql`
  p.id, p.status, p.effective_date, p.notice_days, p.audience, i.filename, p.user_name, p.notice_date, p.assess_date,
  p.create_date,
  (select count(*) from planned_prices where plan_id = p.id) as prices_count,
  (select count(*) from price_plan_accounts where plan_id = p.id and notified_revision = p.revision) as notified_count,
  coalesce((
    select jsonb_agg(to_jsonb(d) order by d.country, d.channel, d.mccmnc nulls first, d.currency) from (
      select channel, country, mccmnc, purpose, currency, before_micros, price_micros as after_micros
      from planned_prices where plan_id = p.id order by country, channel, mccmnc nulls first, currency
      limit ${SHOWN_DIFFERENCES}) d), '[]'::jsonb) as differences,
  coalesce((
    select jsonb_agg(to_jsonb(e) order by e.currency) from (
      select b.currency, count(*) as accounts_count, count(*) filter (where a.after_micros > a.before_micros)
               as raised_count,
             sum(a.segments)::bigint as segments, sum(a.before_micros)::bigint as before_micros,
             sum(a.after_micros)::bigint as after_micros
      from price_plan_accounts a join balances b on b.account_id = a.account_id
      where a.plan_id = p.id and a.segments > 0 group by b.currency) e), '[]'::jsonb) as effects`;
const fromPlans: Sql = sql`from price_plans p left join price_imports i on i.id = p.import_id`;

export const readPlan = (db: Queryable, id: string) =>
  db.maybeOne<PricePlan>(sql`select ${planColumns} ${fromPlans} where p.id = ${id}`);

interface PlanFilter {
  status?: PricePlan['status'] | undefined;
}
const matches = ({ status }: PlanFilter): Sql => and([status && sql`p.status = ${status}`]);

export const listPlanRows = (db: Queryable, filter: PlanFilter, page: Page) =>
  db.rows<PricePlan>(sql`
    select ${planColumns} ${fromPlans} where ${matches(filter)}
    order by p.effective_date desc, p.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countPlans = async (db: Queryable, filter: PlanFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from price_plans p where ${matches(filter)}`)).count;

interface NewPlan {
  id: string;
  user_id: string;
  import_id: string | null;
  effective_date: Date;
  notice_days: number;
  audience: string;
}

export const insertPlan = (tx: Tx, plan: NewPlan) =>
  tx.run(sql`
    insert into price_plans (id, user_id, user_name, import_id, effective_date, notice_days, audience, create_date,
                             update_date)
    values (${plan.id}, ${plan.user_id},
            (select trim(first_name || ' ' || last_name) from users where id = ${plan.user_id}::uuid),
            ${plan.import_id}, ${plan.effective_date}, ${plan.notice_days}, ${plan.audience}, ${tx.now}, ${tx.now})`);

export const insertPrices = (tx: Tx, plan_id: string, changes: readonly PriceDifference[]) =>
  tx.run(sql`
    insert into planned_prices (plan_id, id, channel, country, mccmnc, purpose, currency, before_micros, price_micros)
    select ${plan_id}::uuid, * from unnest(
      ${changes.map(() => newId())}::uuid[], ${changes.map(({ channel }) => channel)}::text[],
      ${changes.map(({ country }) => country)}::text[], ${changes.map(({ mccmnc }) => mccmnc)}::text[],
      ${changes.map(({ purpose }) => purpose)}::text[], ${changes.map(({ currency }) => currency)}::text[],
      ${changes.map(({ before_micros }) => before_micros)}::bigint[],
      ${changes.map(({ after_micros }) => after_micros)}::bigint[]) as c`);

export const listPlannedPrices = (db: Queryable, plan_id: string) =>
  db.rows<PriceDifference>(sql`
    select channel, country, mccmnc, purpose, currency, before_micros, price_micros as after_micros
    from planned_prices where plan_id = ${plan_id} order by country, channel, mccmnc nulls first, currency, id`);

export const setSinglePrice = (tx: Tx, plan_id: string, price_micros: number | null) =>
  tx.run(sql`update planned_prices set price_micros = ${price_micros} where plan_id = ${plan_id}`);

/** Null for a plan that is not announced. Throws a unique violation if another plan has a price at the same time. */
export const schedulePrices = (tx: Tx, plan_id: string, date: Date | null) =>
  tx.run(sql`update planned_prices set effective_date = ${date} where plan_id = ${plan_id}`);

/** True if another announced plan sets one of the prices of this plan at the same time. */
export const hasOverlap = async (tx: Tx, plan_id: string, date: Date): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from planned_prices mine join planned_prices other
      on other.channel = mine.channel and other.country = mine.country and other.currency = mine.currency
        and coalesce(other.mccmnc, '') = coalesce(mine.mccmnc, '')
        and coalesce(other.purpose, '') = coalesce(mine.purpose, '')
        and other.effective_date = ${date}::timestamptz and other.plan_id <> mine.plan_id
    where mine.plan_id = ${plan_id} limit 1`)) !== null;

export const listPlanAccounts = (db: Queryable, plan_id: string, page: Page) =>
  db.rows<PlanAccount>(sql`
    select p.account_id, a.company_name, b.currency, p.segments, p.before_micros, p.after_micros, p.notify_date
    from price_plan_accounts p join accounts a on a.id = p.account_id join balances b on b.account_id = p.account_id
    where p.plan_id = ${plan_id}
    order by p.after_micros - p.before_micros desc, p.account_id limit ${page.size + 1} offset ${page.offset}`);

export const countAccounts = async (db: Queryable, plan_id: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from price_plan_accounts where plan_id = ${plan_id}`)).count;

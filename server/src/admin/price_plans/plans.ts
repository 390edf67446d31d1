/**
 * Planned changes to list prices. A draft shows its effects. Once it is announced, its accounts get a notice the chosen
 * number of days before the change, and the prices apply from its time on in every process.
 */
import {
  type createPricePlan as Create,
  type PlanAccount,
  type PricePlan,
  pricePlanChanged,
  type updatePricePlan as Update,
} from '@parley/contract/admin/price_plans.ts';
import type { PriceDifference } from '@parley/contract/admin/prices.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { record } from '../../kernel/security/audit.ts';
import { applyDuePlans } from '../prices/due_plans.ts';
import { readChanges } from '../prices/price_imports.ts';
import { assessPlan, planDue, planNotice } from './plan_jobs.ts';
import * as queries from './plan_queries.ts';

const DAY_MS = 86_400_000;

export async function listPlans(
  db: Queryable,
  query: Parameters<typeof readPage>[0] & { filter?: { status?: PricePlan['status'] | undefined } | undefined },
): Promise<Paged<PricePlan>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  return paged(page, await queries.listPlanRows(db, filter, page), await queries.countPlans(db, filter));
}

export async function getPlan(db: Queryable, id: string): Promise<PricePlan> {
  const plan = await queries.readPlan(db, id);
  if (!plan) throw new Problem('PRICE_PLAN_NOT_FOUND');
  return plan;
}

export async function listAccounts(
  db: Queryable,
  id: string,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<PlanAccount>> {
  if (!(await queries.findPlan(db, id))) throw new Problem('PRICE_PLAN_NOT_FOUND');
  const page = readPage(query);
  return paged(page, await queries.listPlanAccounts(db, id, page), await queries.countAccounts(db, id));
}

export async function createPlan(ctx: Ctx, body: Parsed<typeof Create>['body']): Promise<PricePlan> {
  const { tx, actor } = ctx;
  await applyDuePlans(tx);
  const changes = body.import_id === null ? await readSingle(tx, body.price!) : await readChanges(tx, body.import_id);
  if (changes.length === 0) throw new Problem('PRICE_PLAN_EMPTY');
  const effective_date = parseTimestamp(body.effective_date);
  requireNotice(tx, effective_date, body.notice_days, changes);
  const id = newId();
  const { import_id, notice_days, audience } = body;
  await queries.insertPlan(tx, { id, user_id: actor.user_id!, import_id, effective_date, notice_days, audience });
  await queries.insertPrices(tx, id, changes);
  await enqueue(tx, assessPlan, { plan_id: id });
  await report(ctx, 'price_plan.created', id, { effective_date: body.effective_date, prices_count: changes.length });
  return getPlan(tx, id);
}

type Single = NonNullable<Parsed<typeof Create>['body']['price']>;

async function readSingle(tx: Tx, { price_micros, ...key }: Single): Promise<PriceDifference[]> {
  if (key.purpose !== null && key.channel === PHONE_CHANNEL) throw new Problem('PRICE_PURPOSE_INVALID');
  const row = await tx.maybeOne<{ price_micros: number }>(sql`
    select price_micros from rates
    where account_id is null and channel = ${key.channel} and country = ${key.country} and currency = ${key.currency}
      and mccmnc is not distinct from ${key.mccmnc} and purpose is not distinct from ${key.purpose}`);
  const before_micros = row?.price_micros ?? null;
  return before_micros === price_micros ? [] : [{ ...key, before_micros, after_micros: price_micros }];
}

/** Removing a price can raise costs for customers, because a more general price then applies. */
const raises = ({ before_micros, after_micros }: PriceDifference): boolean =>
  after_micros === null || before_micros === null || after_micros > before_micros;

/** Throws PRICE_PLAN_TOO_EARLY if the date is not in the future, or too early for the notice of a higher price. */
function requireNotice(tx: Tx, date: Date, notice_days: number, changes: readonly PriceDifference[]): void {
  const notice_ms = changes.some(raises) ? notice_days * DAY_MS : 0;
  if (date.getTime() <= tx.now.getTime() || date.getTime() - notice_ms < tx.now.getTime())
    throw new Problem('PRICE_PLAN_TOO_EARLY');
}

async function lockOpen(tx: Tx, id: string): Promise<queries.PlanRow> {
  await applyDuePlans(tx);
  const plan = await queries.lockPlan(tx, id);
  if (!plan) throw new Problem('PRICE_PLAN_NOT_FOUND');
  if (plan.status === 'applied' || plan.status === 'canceled') throw new Problem('PRICE_PLAN_CLOSED');
  return plan;
}

export async function announcePlan(ctx: Ctx, id: string): Promise<PricePlan> {
  const { tx } = ctx;
  const plan = await lockOpen(tx, id);
  if (plan.status === 'announced') return getPlan(tx, id);
  const date = new Date(plan.effective_ms);
  requireNotice(tx, date, plan.notice_days, await queries.listPlannedPrices(tx, id));
  await tx.run(sql`update price_plans set status = 'announced', update_date = ${tx.now} where id = ${id}`);
  await schedule(tx, plan, date, plan.notice_days);
  await report(ctx, 'price_plan.announced', id, { effective_date: plan.effective_date });
  return getPlan(tx, id);
}

/** Stores when the prices apply, and enqueues the notices and the change of the price list. */
async function schedule(tx: Tx, { id }: queries.PlanRow, date: Date, notice_days: number): Promise<void> {
  if (await queries.hasOverlap(tx, id, date)) throw new Problem('PRICE_PLAN_OVERLAPS');
  await queries.schedulePrices(tx, id, date);
  // Without days of notice, the notices are sent immediately.
  const notice =
    notice_days === 0 ? tx.now : new Date(Math.max(tx.now.getTime(), date.getTime() - notice_days * DAY_MS));
  await enqueue(tx, planNotice, { plan_id: id }, { start_after: notice });
  await enqueue(tx, planDue, { plan_id: id }, { start_after: date });
}

export async function updatePlan(ctx: Ctx, id: string, body: Parsed<typeof Update>['body']): Promise<PricePlan> {
  const { tx } = ctx;
  const plan = await lockOpen(tx, id);
  const date = parseTimestamp(body.effective_date);
  const { notice_days, audience, price_micros } = body;
  const changes = await queries.listPlannedPrices(tx, id);
  if (price_micros !== undefined) {
    if (changes.length !== 1 || plan.import_id !== null) throw new Problem('PRICE_PLAN_CLOSED');
    await queries.setSinglePrice(tx, id, price_micros);
    changes[0]!.after_micros = price_micros;
  }
  requireNotice(tx, date, notice_days, changes);
  await tx.run(sql`
    update price_plans set effective_date = ${date}, notice_days = ${notice_days}, audience = ${audience},
      revision = revision + 1, assess_date = null, update_date = ${tx.now}
    where id = ${id}`);
  // An announced change stays visible, and its accounts are notified of the new one immediately.
  if (plan.status === 'announced') await schedule(tx, plan, date, plan.notice_date === null ? notice_days : MAX_DAYS);
  await enqueue(tx, assessPlan, { plan_id: id });
  await report(ctx, 'price_plan.updated', id, { effective_date: body.effective_date });
  return getPlan(tx, id);
}
const MAX_DAYS = 3_650;

/** Deletes a draft. Accounts that got a notice are notified of the cancellation. */
export async function cancelPlan(ctx: Ctx, id: string): Promise<null> {
  const { tx } = ctx;
  const plan = await lockOpen(tx, id);
  if (plan.status === 'draft') await tx.run(sql`delete from price_plans where id = ${id}`);
  else {
    await queries.schedulePrices(tx, id, null);
    await tx.run(sql`
      update price_plans set status = 'canceled', revision = revision + 1, update_date = ${tx.now} where id = ${id}`);
    await enqueue(tx, planNotice, { plan_id: id });
  }
  await report(ctx, 'price_plan.canceled', id, { effective_date: plan.effective_date });
  return null;
}

/** Adds the change to the audit log, and refreshes open pages. */
async function report(ctx: Ctx, action: string, id: string, detail: Record<string, unknown>): Promise<void> {
  record(ctx.tx, ctx, { action, target: { type: 'price_plan', id, name: '' }, detail });
  await emitToOperators(ctx.tx, pricePlanChanged, { id });
}

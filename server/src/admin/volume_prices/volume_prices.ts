/**
 * Prices that fall with the volume of a month. They apply from the start of a month on. In the current month, steps can
 * start only where there are none, which lowers prices; all other changes wait for the next month. So the steps of a
 * month never change while messages count in it.
 */
import type * as contract from '@parley/contract/admin/volume_prices.ts';
import { volumePricesChanged } from '@parley/contract/admin/volume_prices.ts';
import { type VolumeStep, volumeMicros } from '@parley/contract/billing/volume_steps.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { loadBooks, type PriceBook, type VolumeKey } from '../../billing/billing.ts';
import { idAt, newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import * as queries from './queries.ts';

type Body = Parsed<typeof contract.saveVolumePrice>['body'];
type ListQuery = Parameters<typeof readPage>[0] & { filter?: queries.VolumeFilter | undefined };

const MONTHS_AHEAD = 24;
const SHOWN_ACCOUNTS = 10;

const monthKey = (date: Date): string => date.toISOString().slice(0, 7);
const addMonths = (month: string, months: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return monthKey(new Date(Date.UTC(year, number - 1 + months, 1)));
};

export async function listVolumePrices(tx: Tx, query: ListQuery): Promise<Paged<contract.VolumePrice>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  return paged(
    page,
    await queries.volumePage(tx, tx.now, filter, page),
    await queries.countVolumes(tx, tx.now, filter),
  );
}

/** Returns the price that the steps lower. Throws the problems of the steps, the month, and the destination. */
async function checkSteps(tx: Tx, { account_id, month, steps, ...key }: Body): Promise<number> {
  const now = monthKey(tx.now);
  if (month < now || month > addMonths(now, MONTHS_AHEAD)) throw new Problem('VOLUME_MONTH_INVALID');
  if (account_id !== null && !(await isCustomer(tx, account_id))) throw new Problem('ACCOUNT_NOT_FOUND');
  const lowered =
    key.purpose !== null && key.channel === PHONE_CHANNEL ? null : await queries.priceToLower(tx, account_id, key);
  if (!lowered) throw new Problem('VOLUME_BASE_NOT_FOUND');
  for (const [n, step] of steps.entries()) {
    const before = steps[n - 1] ?? { above_units: 0, price_micros: lowered.price_micros };
    if (step.above_units <= before.above_units || step.price_micros >= before.price_micros)
      throw new Problem('VOLUME_STEPS_INVALID', { field: `steps.${n}` });
  }
  // An account can be left out of the steps of all accounts.
  if (steps.length === 0 && account_id === null && (await queries.stepsInForce(tx, null, key, month)).length === 0)
    throw new Problem('VOLUME_STEPS_INVALID');
  if (month !== now) return lowered.price_micros;
  for (const scope of new Set([account_id, null]))
    if ((await queries.stepsInForce(tx, scope, key, month)).length > 0) throw new Problem('VOLUME_PRICE_IN_FORCE');
  return lowered.price_micros;
}

const isCustomer = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${id} and kind = 'CUSTOMER'`)) !== null;

export async function saveVolumePrice(ctx: Ctx, body: Body): Promise<contract.VolumePrice> {
  const { tx, actor } = ctx;
  // Messages that are accepted at the same time have read the prices before or after this change.
  await tx.run(sql`select from price_revision for update`);
  await checkSteps(tx, body);
  const id = await queries.saveVolume(tx, { ...body, id: newId(), user_id: actor.user_id! });
  await report(ctx, 'volume_price.saved', id, body, { month: body.month, steps: body.steps });
  return (await queries.readVolume(tx, tx.now, id))!;
}

export async function removeVolumePrice(ctx: Ctx, id: string): Promise<null> {
  const { tx } = ctx;
  const row = await queries.lockVolume(tx, id);
  if (!row) throw new Problem('VOLUME_PRICE_NOT_FOUND');
  if (row.month <= monthKey(tx.now)) throw new Problem('VOLUME_PRICE_IN_FORCE');
  await queries.deleteVolume(tx, id);
  await report(ctx, 'volume_price.removed', id, row, { month: row.month });
  return null;
}

async function report(
  ctx: Ctx,
  action: string,
  id: string,
  { channel, country, mccmnc, purpose, currency }: VolumeKey,
  detail: Record<string, unknown>,
): Promise<void> {
  const name = [channel, country, mccmnc ?? '', purpose ?? '', currency].join(' ');
  record(ctx.tx, ctx, { action, target: { type: 'volume_price', id, name }, detail });
  await emitToOperators(ctx.tx, volumePricesChanged, { count: 1 });
}

/** The messages of the last full month, at the prices of the chosen month without and with the steps. */
export async function previewVolumePrice(tx: Tx, body: Body): Promise<contract.VolumePreview> {
  const price_micros = await checkSteps(tx, body);
  const { account_id, month: from, steps, ...key } = body;
  const until = monthKey(tx.now);
  const month = addMonths(until, -1);
  const days: [string, string] = [`${month}-01`, `${until}-01`];
  const start = monthStart(from);
  const effective_ms = start.getTime();
  const before = (await loadBooks(tx))(start);
  const after = (await loadBooks(tx, [], [{ ...key, account_id, steps, effective_ms }]))(start);
  const ids: [string, string] = [idAt(monthStart(month).getTime()), idAt(monthStart(until).getTime())];
  const accounts: contract.VolumePreview['accounts'] = [];
  for (const account of await queries.sendingAccounts(tx, account_id, key, days)) {
    const traffic = await queries.readTraffic(tx, account.account_id, key, ids);
    const sum = sumTraffic({ before, after }, account.account_id, key, traffic);
    if (sum) accounts.push({ ...account, ...sum });
  }
  const total = (pick: (row: (typeof accounts)[number]) => number) => accounts.reduce((sum, row) => sum + pick(row), 0);
  return {
    ...{ month, currency: key.currency, price_micros, accounts_count: accounts.length },
    units: total((row) => row.units),
    before_micros: total((row) => row.before_micros),
    after_micros: total((row) => row.after_micros),
    accounts: accounts
      .toSorted((a, b) => b.before_micros - b.after_micros - (a.before_micros - a.after_micros))
      .slice(0, SHOWN_ACCOUNTS),
  };
}

const monthStart = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

interface Books {
  before: PriceBook;
  after: PriceBook;
}

/** The units that the steps would count, or null if there are none. */
function sumTraffic({ before, after }: Books, account_id: string, key: VolumeKey, traffic: queries.MonthTraffic[]) {
  let units = 0;
  let list_micros = 0;
  const steps: { before: readonly VolumeStep[]; after: readonly VolumeStep[] } = { before: [], after: [] };
  for (const row of traffic) {
    const find = (book: PriceBook) =>
      book.price(account_id, key.channel, '', key.country, key.currency, row.purpose, row.mccmnc);
    const [old, next] = [find(before), find(after)];
    const volume = next?.volume ?? old?.volume;
    if (!volume || volume.key.mccmnc !== key.mccmnc || volume.key.purpose !== key.purpose) continue;
    units += row.units;
    list_micros = volume.list_micros;
    steps.before = old?.volume?.steps ?? [];
    steps.after = next?.volume?.steps ?? [];
  }
  const cost = (own: readonly VolumeStep[]) => volumeMicros(list_micros, own, { start: 0, units });
  return units === 0 ? null : { units, before_micros: cost(steps.before), after_micros: cost(steps.after) };
}

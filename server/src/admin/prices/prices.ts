/**
 * List prices, for operators. A trigger keeps every change in `price_changes`, with the operator who made it. A new
 * price applies to messages accepted from then on, because an accepted message keeps the price of its hold.
 */
import {
  type createPrice as CreateEndpoint,
  type ListPrice,
  type PriceChange,
  type PriceDifference,
  pricesChanged,
} from '@parley/contract/admin/prices.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { applyDuePlans } from './due_plans.ts';
import { type PriceRow, priceKey, writeAmount } from './price_file.ts';
import * as queries from './price_queries.ts';

type ListQuery = Parameters<typeof readPage>[0] & { filter?: queries.PriceFilter | undefined };

export async function listPrices(db: Queryable, query: ListQuery): Promise<Paged<ListPrice>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  return paged(page, await queries.listPriceRows(db, filter, page), await queries.countPrices(db, filter));
}

export async function listPriceChanges(db: Queryable, query: ListQuery): Promise<Paged<PriceChange>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  return paged(page, await queries.changePage(db, filter, page), await queries.countChanges(db, filter));
}

/** Writes the prices in the format that an import accepts. */
export async function exportPrices({ tx, reply }: Ctx, filter: queries.PriceFilter): Promise<void> {
  const rows = await queries.listAllPrices(tx, filter);
  const lines = rows.map(({ channel, country, mccmnc, purpose, currency, price_micros }) =>
    csvLine([channel, country, mccmnc, purpose, currency, writeAmount(price_micros)]),
  );
  await reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="prices.csv"')
    .send(csvLine(['channel', 'country', 'network', 'purpose', 'currency', 'price']) + lines.join(''));
}

export async function createPrice(
  ctx: Ctx,
  { account_id, ...row }: Parsed<typeof CreateEndpoint>['body'],
): Promise<ListPrice> {
  const { tx } = ctx;
  if (account_id !== null && !(await queries.isCustomer(tx, account_id))) throw new Problem('ACCOUNT_NOT_FOUND');
  if (row.purpose !== null && row.channel === PHONE_CHANNEL) throw new Problem('PRICE_PURPOSE_INVALID');
  const id = newId();
  await applyDuePlans(tx);
  await queries.announceChanges(tx, { user_id: ctx.actor.user_id! });
  if (!(await queries.insertPrice(tx, id, account_id, row))) throw new Problem('PRICE_EXISTS');
  await report(ctx, 'price.created', id, row, { before_micros: null, after_micros: row.price_micros, account_id });
  return (await queries.selectPrice(tx, id))!;
}

export async function updatePrice(ctx: Ctx, id: string, price_micros: number): Promise<ListPrice> {
  const { tx } = ctx;
  await applyDuePlans(tx);
  const before = await queries.lockPrice(tx, id);
  if (!before) throw new Problem('LIST_PRICE_NOT_FOUND');
  if (before.price_micros !== price_micros) {
    await queries.announceChanges(tx, { user_id: ctx.actor.user_id! });
    await queries.updatePrice(tx, id, price_micros);
    await report(ctx, 'price.updated', id, before, {
      before_micros: before.price_micros,
      after_micros: price_micros,
      account_id: before.account_id,
    });
  }
  return (await queries.selectPrice(tx, id))!;
}

export async function removePrice(ctx: Ctx, id: string): Promise<null> {
  const { tx } = ctx;
  await applyDuePlans(tx);
  const before = await queries.lockPrice(tx, id);
  if (!before) throw new Problem('LIST_PRICE_NOT_FOUND');
  await queries.announceChanges(tx, { user_id: ctx.actor.user_id! });
  await queries.deletePrice(tx, id);
  const { price_micros: before_micros, account_id } = before;
  await report(ctx, 'price.removed', id, before, { before_micros, after_micros: null, account_id });
  return null;
}

/** Adds the change to the audit log, and refreshes open pages. */
async function report(
  ctx: Ctx,
  action: string,
  id: string,
  row: PriceRow,
  { account_id, ...change }: Pick<PriceDifference, 'before_micros' | 'after_micros'> & Pick<ListPrice, 'account_id'>,
): Promise<void> {
  const { channel, country, mccmnc, purpose, currency } = row;
  const key = { channel, country, mccmnc, purpose, currency };
  record(ctx.tx, ctx, {
    action,
    target: { type: 'price', id, name: priceKey(key) },
    detail: account_id === null ? change : { ...change, account_id },
  });
  await emitToOperators(ctx.tx, pricesChanged, { count: 1 });
}

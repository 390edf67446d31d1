/** An account's price list and its changes, for the API. */

import type { listRateChanges as ListRateChanges, RateChange } from '@parley/contract/billing/rate_changes.ts';
import type { listRates as ListRates, Rate } from '@parley/contract/billing/rates.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as history from './history_queries.ts';
import * as queries from './queries.ts';

export async function listRates(db: Tx, actor: Actor, query: Parsed<typeof ListRates>['query']): Promise<Paged<Rate>> {
  const page = readPage(query);
  const filter = { account_id: actor.account_id, is_own: query.rate_mode === 'ACCOUNT', ...query.filter };
  return paged(
    page,
    await queries.listRateRows(db, filter, db.now, page),
    await queries.countRates(db, filter, db.now),
  );
}

export async function listRateChanges(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof ListRateChanges>['query'],
): Promise<Paged<RateChange>> {
  const page = readPage(query);
  const filter = { ...query.filter, account_id: actor.account_id };
  return paged(page, await history.changePage(db, filter, page), await history.countChanges(db, filter));
}

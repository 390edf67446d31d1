/** The balance and ledger of an account, for the API. */
import type { Balance, LedgerEntry, listLedger as ListLedger } from '@parley/contract/billing/billing.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { findBalance, toBalance } from './balance.ts';
import * as queries from './queries.ts';

/** Returns the account's balance. The balance has the same id as the account; any other id is not found. */
export async function getBalance(db: Queryable, actor: Actor, id: string): Promise<Balance> {
  const row = id === actor.account_id ? await findBalance(db, id) : null;
  if (!row) throw new Problem('BALANCE_NOT_FOUND');
  return toBalance(row);
}

export async function listLedger(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof ListLedger>['query'],
): Promise<Paged<LedgerEntry>> {
  const page = readPage(query);
  const filter = { account_id: actor.account_id, ...query.filter };
  const rows = await queries.listLedgerEntries(db, filter, page);
  return paged(page, rows, await queries.countLedger(db, filter, page), (entry) => entry.id);
}

/**
 * The log of requests with API keys. The kernel writes it (kernel/http/request_log/request_log.ts). Users see the
 * bodies of a request only if they may call its endpoint.
 */
import type * as contract from '@parley/contract/api_requests/api_requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hasSpend, seesSpend } from '@parley/contract/spend.ts';
import { idAt } from '../kernel/clock.ts';
import { type Db, type Queryable, runTogether } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

export async function listRequests(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof contract.listApiRequests>['query'],
): Promise<Paged<contract.ApiRequest>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listRequestRows(db, account_id, filter, page),
    queries.countRequests(db, account_id, filter),
  );
  return paged(page, rows, total, (row) => row.id);
}

export async function getRequest(db: Queryable, actor: Actor, id: string): Promise<contract.ApiRequestDetail> {
  const found = await queries.findRequest(db, actor.account_id, id);
  if (!found) throw new Problem('API_REQUEST_NOT_FOUND');
  if (seesBodies(actor, found.endpoint)) return { ...found, is_hidden: false };
  return { ...found, request_body: null, response_body: null, is_hidden: true };
}

const BY_ID = new Map(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint]));

function seesBodies({ permissions }: Actor, id: string | null): boolean {
  if (id === null) return true;
  const endpoint = BY_ID.get(id);
  // An endpoint that no longer exists has no rule.
  if (!endpoint) return false;
  if (hasSpend(endpoint.output) && !seesSpend(permissions)) return false;
  return endpoint.needs === 'public' || permits(permissions, endpoint.needs);
}

const BATCH = 5_000;

/** Deletes old requests account by account, from the start of each account's range of IDs. */
export async function pruneRequests(db: Db, before: Date, signal: AbortSignal): Promise<void> {
  let account = await queries.nextAccount(db, null);
  while (account && !signal.aborted) {
    const { account_id } = account;
    const removed = await queries.deleteRequests(db, account_id, idAt(before.getTime()), BATCH);
    if (removed === BATCH) continue;
    await queries.deleteUsage(db, account_id);
    account = await queries.nextAccount(db, account_id);
  }
}

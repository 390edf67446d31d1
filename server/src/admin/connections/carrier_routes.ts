/** Routes: which connection carries which numbers. Workers notice a change within a second. */
import type { createRoute as CreateRoute, Route, updateRoute as UpdateRoute } from '@parley/contract/admin/admin.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { forgetRoutes } from '../../messages/messages.ts';
import * as queries from './carrier_route_queries.ts';
import { hasConnection } from './connection_queries.ts';

type ListQuery = Parameters<typeof readPage>[0];

export const forgetRoutesAfterCommit = (tx: Tx) => tx.afterCommit(() => forgetRoutes(tx.db));

export async function listRoutes(db: Queryable, query: ListQuery): Promise<Paged<Route>> {
  const page = readPage(query);
  return paged(page, await queries.listRouteRows(db, page), await queries.countRoutes(db));
}

export async function createRoute(tx: Tx, body: Parsed<typeof CreateRoute>['body']): Promise<Route> {
  await requireConnection(tx, body.connection_id);
  const id = newId();
  await queries.insertRoute(tx, id, body);
  forgetRoutesAfterCommit(tx);
  return queries.findRoute(tx, id);
}

export async function updateRoute(tx: Tx, id: string, body: Parsed<typeof UpdateRoute>['body']): Promise<Route> {
  const before = await queries.lockRoute(tx, id);
  if (!before) throw new Problem('CARRIER_ROUTE_NOT_FOUND');
  if (body.connection_id) await requireConnection(tx, body.connection_id);
  await queries.updateRoute(tx, id, { ...before, ...body });
  forgetRoutesAfterCommit(tx);
  return queries.findRoute(tx, id);
}

export async function removeRoute(tx: Tx, id: string): Promise<Route> {
  if (!(await queries.lockRoute(tx, id))) throw new Problem('CARRIER_ROUTE_NOT_FOUND');
  const removed = await queries.findRoute(tx, id);
  await queries.deleteRoute(tx, id);
  forgetRoutesAfterCommit(tx);
  return removed;
}

async function requireConnection(tx: Tx, id: string): Promise<void> {
  if (!(await hasConnection(tx, id))) throw new Problem('CONNECTION_NOT_FOUND');
}

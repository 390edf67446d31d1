/**
 * The operators' side of sending: connections to carriers and which numbers go by which. Workers notice a change within a second. A carrier's password
 * is written and never read back.
 */
import {
  type Connection,
  type createConnection as CreateConnection,
  type createRoute as CreateRoute,
  connectionChanged,
  type Route,
  type SmppSettings,
  type updateConnection as UpdateConnection,
  type updateRoute as UpdateRoute,
} from '@parley/contract/admin.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { isSandbox } from '../kernel/config.ts';
import { type Queryable, type Tx, violates } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Paged, paged, pageOf } from '../kernel/list.ts';
import { forgetRoutes, sealPassword } from '../messages/messages.ts';
import * as queries from './queries.ts';

type ListQuery = Parameters<typeof pageOf>[0];

export async function listConnections(
  db: Queryable,
  query: ListQuery & { filter?: { search?: string | undefined } | undefined },
): Promise<Paged<Connection>> {
  const page = pageOf(query);
  const search = query.filter?.search ?? '';
  const rows = await queries.connectionPage(db, search, page);
  return paged(page, rows, await queries.countConnections(db, search));
}

export async function getConnection(db: Queryable, id: string): Promise<Connection> {
  const connection = await queries.connection(db, id);
  if (!connection) throw new Problem(1951);
  return connection;
}

export async function createConnection(
  tx: Tx,
  kernel: Kernel,
  body: Parsed<typeof CreateConnection>['body'],
): Promise<Connection> {
  refuseSandbox(kernel, body.settings);
  const id = newId();
  const settings = sealPassword(kernel, id, body.settings, '');
  await named(() => queries.insertConnection(tx, id, { ...body, settings }));
  return changed(tx, id);
}

export async function updateConnection(
  tx: Tx,
  kernel: Kernel,
  id: string,
  body: Parsed<typeof UpdateConnection>['body'],
): Promise<Connection> {
  const before = await queries.lockConnection(tx, id);
  if (!before) throw new Problem(1951);
  const settings = body.settings ?? { ...before.settings, password: '' };
  refuseSandbox(kernel, settings);
  const sealed = sealPassword(kernel, id, settings, before.settings.password);
  await named(() => queries.updateConnection(tx, id, { ...before, ...body, settings: sealed }));
  return changed(tx, id);
}

// What the sandbox delivers reaches nobody.
function refuseSandbox({ config }: Kernel, settings: SmppSettings): void {
  if (config.MODE === 'production' && isSandbox(config, settings.host, settings.port))
    throw new Problem(1954, { field: 'settings.host' });
}

async function named(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'connections_name_key')) throw new Problem(1952);
    throw error;
  }
}

async function changed(tx: Tx, id: string): Promise<Connection> {
  const connection = await getConnection(tx, id);
  const state = connection.enabled ? 'enabled' : 'disabled';
  for (const account of await queries.operatorAccounts(tx))
    emit(tx, connectionChanged, account.id, { id, name: connection.name, state });
  routesChanged(tx);
  return connection;
}

const routesChanged = (tx: Tx) => tx.afterCommit(() => forgetRoutes(tx.db));

export async function listRoutes(db: Queryable, query: ListQuery): Promise<Paged<Route>> {
  const page = pageOf(query);
  return paged(page, await queries.routePage(db, page), await queries.countRoutes(db));
}

export async function createRoute(tx: Tx, body: Parsed<typeof CreateRoute>['body']): Promise<Route> {
  await demandConnection(tx, body.connection_id);
  const id = newId();
  await queries.insertRoute(tx, id, body);
  routesChanged(tx);
  return queries.route(tx, id);
}

export async function updateRoute(tx: Tx, id: string, body: Parsed<typeof UpdateRoute>['body']): Promise<Route> {
  const before = await queries.lockRoute(tx, id);
  if (!before) throw new Problem(1953);
  if (body.connection_id) await demandConnection(tx, body.connection_id);
  await queries.updateRoute(tx, id, { ...before, ...body });
  routesChanged(tx);
  return queries.route(tx, id);
}

export async function removeRoute(tx: Tx, id: string): Promise<Route> {
  if (!(await queries.lockRoute(tx, id))) throw new Problem(1953);
  const removed = await queries.route(tx, id);
  await queries.deleteRoute(tx, id);
  routesChanged(tx);
  return removed;
}

async function demandConnection(tx: Tx, id: string): Promise<void> {
  if (!(await queries.connectionExists(tx, id))) throw new Problem(1951);
}

/**
 * Connections to carriers. Workers notice a change within a second. A carrier's secrets are write-only: the API never
 * returns them.
 */
import { randomBytes } from 'node:crypto';
import { missingCredentials } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import {
  type Connection,
  type createConnection as CreateConnection,
  connectionChanged,
  type updateConnection as UpdateConnection,
} from '@parley/contract/connections/connections.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { SettingFault } from '../../channels/connection_test.ts';
import { getAdapter } from '../../channels/index.ts';
import { callbackUrl, openSecrets, sealSecrets } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { isLoopback, isSandbox } from '../../kernel/settings/config.ts';
import { forgetRoutesAfterCommit } from './carrier_routes.ts';
import * as queries from './connection_queries.ts';

type ListQuery = Parameters<typeof readPage>[0] & { filter?: queries.ConnectionFilter | undefined };

function toConnection(kernel: Kernel, { stored_settings, ...row }: queries.ConnectionRow): Connection {
  const adapter = getAdapter(row.adapter);
  // A name can be a secret of one adapter and an ordinary setting of another.
  const secrets: readonly string[] = ADAPTERS[row.adapter].secrets.options;
  return {
    ...row,
    settings: Object.fromEntries(Object.entries(stored_settings).filter(([name]) => !secrets.includes(name))),
    secrets: secrets.filter((name) => (stored_settings[name] ?? '') !== ''),
    desired_binds: row.enabled ? adapter.binds({ id: row.id, settings: stored_settings }) : 0,
    callback_url: adapter.callbacks ? callbackUrl(kernel, row.id) : null,
  } as Connection;
}

export async function listConnections(kernel: Kernel, db: Queryable, query: ListQuery): Promise<Paged<Connection>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const rows = await queries.listConnectionRows(db, filter, page);
  return paged(
    page,
    rows.map((row) => toConnection(kernel, row)),
    await queries.countConnections(db, filter),
  );
}

export async function getConnection(kernel: Kernel, db: Queryable, id: string): Promise<Connection> {
  const row = await queries.findConnection(db, id);
  if (!row) throw new Problem('CONNECTION_NOT_FOUND');
  return toConnection(kernel, row);
}

export async function createConnection(
  tx: Tx,
  kernel: Kernel,
  body: Parsed<typeof CreateConnection>['body'],
): Promise<Connection> {
  requireProductionCarrier(kernel, body.settings);
  const id = newId();
  const input =
    'verify_token' in body.settings ? { ...body.settings, verify_token: verifyToken(body.settings) } : body.settings;
  const settings = sealSecrets(kernel, id, body.adapter, input);
  requireWorkingSettings(kernel, id, body.adapter, settings);
  await requireNewName(() =>
    queries.insertConnection(tx, id, { ...body, channel: ADAPTERS[body.adapter].channel, settings }),
  );
  return announceChange(tx, kernel, id);
}

const verifyToken = ({ verify_token }: { verify_token: string }): string =>
  verify_token || randomBytes(24).toString('hex');

export async function updateConnection(
  tx: Tx,
  kernel: Kernel,
  id: string,
  body: Parsed<typeof UpdateConnection>['body'],
): Promise<Connection> {
  const before = await queries.lockConnection(tx, id);
  if (!before) throw new Problem('CONNECTION_NOT_FOUND');
  const input = body.settings === undefined ? before.settings : readSettings(before.adapter, body.settings);
  requireProductionCarrier(kernel, input);
  const settings = sealSecrets(kernel, id, before.adapter, input, before.settings);
  // A key is useless without its certificate.
  if (settings.tls_certificate === '') settings.tls_key = '';
  // A connection from an older version can be disabled without them.
  if (body.settings !== undefined) requireCredentials(before.adapter, settings);
  requireWorkingSettings(kernel, id, before.adapter, settings);
  await requireNewName(() => queries.updateConnection(tx, id, { ...before, ...body, settings }));
  return announceChange(tx, kernel, id);
}

function readSettings(adapter: AdapterName, settings: Record<string, unknown>): object {
  const parsed = ADAPTERS[adapter].settings.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(({ path, message }) => ({
    code: 'VALUE_INVALID' as const,
    field: ['settings', ...path].join('.'),
    message,
  }));
  throw new Problem('VALUE_INVALID', { ...first!, others });
}

function requireCredentials(adapter: AdapterName, settings: Readonly<Record<string, unknown>>): void {
  const [first, ...others] = missingCredentials(ADAPTERS[adapter], settings).map(({ name, label }) => ({
    code: 'CONNECTION_CREDENTIAL_REQUIRED' as const,
    field: `settings.${name}`,
    message: `${label} is required`,
  }));
  if (first) throw new Problem(first.code, { ...first, others });
}

/** Secrets that were sealed with another key cannot be checked here. The worker that cannot open them reports them. */
function findFault(kernel: Kernel, id: string, adapter: AdapterName, sealed: object): SettingFault | null {
  const { check } = getAdapter(adapter);
  try {
    return check?.({ id, settings: openSecrets(kernel, id, adapter, sealed) }) ?? null;
  } catch {
    return null;
  }
}

function requireWorkingSettings(kernel: Kernel, id: string, adapter: AdapterName, sealed: object): void {
  const fault = findFault(kernel, id, adapter, sealed);
  if (fault) throw new Problem('VALUE_INVALID', { field: `settings.${fault.field}`, message: fault.message });
}

// In production, messages sent to the sandbox would reach no recipient, and anyone could read a token sent over HTTP.
function requireProductionCarrier({ config }: Kernel, settings: object): void {
  const { host, port, base_url } = settings as { host?: string; port?: number; base_url?: string };
  const url = base_url === undefined ? null : new URL(base_url);
  const at = url ? Number(url.port || (url.protocol === 'https:' ? 443 : 80)) : port!;
  if (config.MODE === 'production' && isSandbox(config, url?.hostname ?? host!, at))
    throw new Problem('SANDBOX_NOT_ALLOWED', { field: url ? 'settings.base_url' : 'settings.host' });
  if (config.MODE === 'production' && url?.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Problem('VALUE_INVALID', {
      field: 'settings.base_url',
      message: 'must begin with https:// in production',
    });
}

async function requireNewName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'connections_name_key')) throw new Problem('CONNECTION_EXISTS');
    throw error;
  }
}

async function announceChange(tx: Tx, kernel: Kernel, id: string): Promise<Connection> {
  const connection = await getConnection(kernel, tx, id);
  const state = connection.enabled ? 'enabled' : 'disabled';
  for (const account of await queries.listOperatorAccounts(tx))
    emit(tx, connectionChanged, account.id, { id, name: connection.name, state });
  forgetRoutesAfterCommit(tx);
  return connection;
}

/**
 * SFTP servers of an account that receive the files of scheduled exports. A user accepts the host key before anything
 * is sent. The password or private key is sealed and never returned, and it only goes to the host, the port, and the
 * user for which it was entered.
 */

import type { Parsed } from '@parley/contract/endpoint.ts';
import { exportDestinationChanged } from '@parley/contract/exports/destination_events.ts';
import * as contract from '@parley/contract/exports/destinations.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './destination_queries.ts';
import { readHostKey, requireAllowedServer, requirePrivateKey, testFolder, withSftp } from './sftp.ts';

type Body = Parsed<typeof contract.createExportDestination>['body'];
type TestBody = Parsed<typeof contract.testExportDestination>['body'];

export const listDestinations = (db: Queryable, { account_id }: Actor): Promise<contract.ExportDestination[]> =>
  queries.listDestinations(db, account_id);

const place = (id: string) => ({ table: 'export_destinations', row: id });

export const openSecret = ({ seals }: Pick<Kernel, 'seals'>, row: queries.SecretDestination): string =>
  seals.open(row.secret, place(row.id));

function announceDestination(tx: Tx, row: contract.ExportDestination): void {
  emit(tx, exportDestinationChanged, row.account_id, exportDestinationChanged.payload.parse(row));
}

export async function announceChange(tx: Tx, account_id: string, id: string): Promise<void> {
  const [row] = await queries.listDestinations(tx, account_id, id);
  if (row) announceDestination(tx, row);
}

/** The name is resolved outside of a transaction, because it can take seconds. */
export async function createDestination(ctx: Ctx, body: Body): Promise<contract.ExportDestination> {
  const { kernel, actor } = ctx;
  const given = await requireSecret(body);
  await requireAllowedServer(kernel.config, body);
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockDestinations(tx, account_id);
    if ((await queries.listDestinations(tx, account_id)).length >= contract.MAX_EXPORT_DESTINATIONS)
      throw new Problem('EXPORT_DESTINATIONS_LIMIT_EXCEEDED');
    const id = newId();
    const secret = kernel.seals.seal(given.secret, place(id));
    await queries.insertDestination(tx, { ...body, account_id, id, auth: given.auth, secret });
    return finish(tx, ctx, 'export_destination.created', id);
  });
}

export async function updateDestination(ctx: Ctx, id: string, body: Body): Promise<contract.ExportDestination> {
  const { kernel, actor } = ctx;
  await requireAllowedServer(kernel.config, body);
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockDestinations(tx, account_id);
    const before = await requireDestination(tx, account_id, id);
    const given = isSameLogin(before, body) && !hasSecret(body) ? null : await requireSecret(body);
    const secret = given ? kernel.seals.seal(given.secret, place(id)) : before.secret;
    await queries.updateDestination(tx, { ...body, account_id, id, auth: given?.auth ?? before.auth, secret });
    await queries.resume(tx, account_id, id);
    return finish(tx, ctx, 'export_destination.updated', id);
  });
}

export async function removeDestination(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  await queries.lockDestinations(tx, actor.account_id);
  const [row] = await queries.listDestinations(tx, actor.account_id, id);
  if (!row) throw new Problem('EXPORT_DESTINATION_NOT_FOUND');
  if (await queries.isUsed(tx, actor.account_id, id)) throw new Problem('EXPORT_DESTINATION_IN_USE');
  await queries.deleteDestination(tx, actor.account_id, id);
  record(tx, ctx, { action: 'export_destination.deleted', target: { type: 'export_destination', id, name: row.name } });
  announceDestination(tx, row);
}

/** A test without an accepted key only reads the key, so a password never reaches an unknown server. */
export async function testDestination(ctx: Ctx, body: TestBody): Promise<contract.HostKey> {
  const { kernel, actor } = ctx;
  const { host, port, folder, destination_id, username, host_key_fingerprint } = body;
  const stored = destination_id ? await requireDestination(kernel.db, actor.account_id, destination_id) : null;
  await requireAllowedServer(kernel.config, body);
  if (host_key_fingerprint === undefined || username === undefined)
    return { ...(await readHostKey(kernel.config, { host, port })), is_complete: false };
  const isStored = stored !== null && isSameLogin(stored, { ...body, username }) && !hasSecret(body);
  const access = isStored ? { auth: stored.auth, secret: openSecret(kernel, stored) } : await requireSecret(body);
  const host_key_type = body.host_key_type ?? '';
  await withSftp(
    kernel.config,
    { host, port, username, host_key_type, host_key_fingerprint, ...access },
    new AbortController().signal,
    (session) => testFolder(session, folder, newId()),
  );
  // The saved settings were tested.
  if (isStored && stored.host_key_fingerprint === host_key_fingerprint && stored.folder === folder)
    await kernel.db.tx(async (tx) => {
      await queries.resume(tx, actor.account_id, stored.id);
      await announceChange(tx, actor.account_id, stored.id);
    });
  return { host_key_type, host_key_fingerprint, is_complete: true };
}

type Login = Pick<queries.SecretDestination, 'host' | 'port' | 'username'>;
const isSameLogin = (a: Login, b: Login): boolean =>
  a.host === b.host && a.port === b.port && a.username === b.username;

type Secrets = Pick<TestBody, 'password' | 'private_key'>;
const hasSecret = ({ password, private_key }: Secrets): boolean => Boolean(password) || Boolean(private_key);

/** Throws EXPORT_SECRET_REQUIRED and EXPORT_PRIVATE_KEY_INVALID. */
async function requireSecret({
  password,
  private_key,
}: Secrets): Promise<Pick<queries.SecretDestination, 'auth' | 'secret'>> {
  if (Boolean(password) === Boolean(private_key)) throw new Problem('EXPORT_SECRET_REQUIRED');
  if (password) return { auth: 'password', secret: password };
  await requirePrivateKey(private_key!);
  return { auth: 'private_key', secret: private_key! };
}

async function requireDestination(db: Queryable, account_id: string, id: string): Promise<queries.SecretDestination> {
  const row = await queries.findSecret(db, account_id, id);
  if (!row) throw new Problem('EXPORT_DESTINATION_NOT_FOUND');
  return row;
}

async function finish(tx: Tx, ctx: Ctx, action: string, id: string): Promise<contract.ExportDestination> {
  const row = (await queries.listDestinations(tx, ctx.actor.account_id, id))[0]!;
  record(tx, ctx, { action, target: { type: 'export_destination', id, name: row.name } });
  announceDestination(tx, row);
  return row;
}

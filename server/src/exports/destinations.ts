/**
 * SFTP servers and S3 buckets of an account that receive the files of scheduled exports. A user accepts the host key
 * of a server before anything is sent. The secret is sealed and never returned, and it is only used for the host, the
 * port, and the user, or for the endpoint and the access key, for which it was entered.
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
import { requireAllowedStore, testBucket } from './s3.ts';
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

/** The name is resolved outside a transaction, because it can take seconds. */
export async function createDestination(ctx: Ctx, body: Body): Promise<contract.ExportDestination> {
  const { kernel, actor } = ctx;
  const given = await requireSecret(body);
  await requireAllowed(kernel, body);
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockDestinations(tx, account_id);
    if ((await queries.listDestinations(tx, account_id)).length >= contract.MAX_EXPORT_DESTINATIONS)
      throw new Problem('EXPORT_DESTINATIONS_LIMIT_EXCEEDED');
    const id = newId();
    const sealed = { ...given, secret: kernel.seals.seal(given.secret, place(id)) };
    await queries.insertDestination(tx, { ...toRow(body, sealed), account_id, id });
    return finish(tx, ctx, 'export_destination.created', id);
  });
}

export async function updateDestination(ctx: Ctx, id: string, body: Body): Promise<contract.ExportDestination> {
  const { kernel, actor } = ctx;
  await requireAllowed(kernel, body);
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockDestinations(tx, account_id);
    const before = await requireDestination(tx, account_id, id);
    if (before.type !== body.type) throw new Problem('VALUE_INVALID', { field: 'type' });
    const given = isSameLogin(before, body) && !hasSecret(body) ? null : await requireSecret(body);
    const sealed = given ? { ...given, secret: kernel.seals.seal(given.secret, place(id)) } : before;
    await queries.updateDestination(tx, { ...toRow(body, sealed), account_id, id });
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

export async function testDestination(ctx: Ctx, body: TestBody): Promise<contract.DestinationTest> {
  const { kernel, actor } = ctx;
  const { destination_id } = body;
  const stored = destination_id ? await requireDestination(kernel.db, actor.account_id, destination_id) : null;
  await requireAllowed(kernel, body);
  const isStored = stored !== null && isSameLogin(stored, body) && !hasSecret(body);
  const result = await (body.type === 's3'
    ? testStore(kernel, body, isStored ? stored : null)
    : testServer(kernel, body, isStored ? stored : null));
  if (isStored && result.is_complete && isSamePlace(stored, body))
    await kernel.db.tx(async (tx) => {
      await queries.resume(tx, actor.account_id, stored.id);
      await announceChange(tx, actor.account_id, stored.id);
    });
  return result;
}

type TestKernel = Pick<Kernel, 'config' | 'seals'>;
type Given<Type> = Extract<TestBody, { type: Type }>;

async function readSecret(kernel: TestKernel, body: TestBody, stored: queries.SecretDestination | null) {
  if (!stored) return requireSecret(body);
  return { auth: stored.type === 'sftp' ? stored.auth : null, secret: openSecret(kernel, stored) };
}

async function testStore(kernel: TestKernel, body: Given<'s3'>, stored: queries.SecretDestination | null) {
  const { secret } = await readSecret(kernel, body, stored);
  await testBucket(kernel.config, { ...body, secret }, body.folder);
  return { is_complete: true };
}

/** A test without an accepted key only reads the key, so a password never reaches an unknown server. */
async function testServer(
  kernel: TestKernel,
  body: Given<'sftp'>,
  stored: queries.SecretDestination | null,
): Promise<contract.DestinationTest> {
  const { host, port, folder, username, host_key_fingerprint, host_key_type = '' } = body;
  if (host_key_fingerprint === undefined || username === undefined)
    return { ...(await readHostKey(kernel.config, { host, port })), is_complete: false };
  const { auth, secret } = await readSecret(kernel, body, stored);
  await withSftp(
    kernel.config,
    { host, port, username, host_key_type, host_key_fingerprint, auth: auth!, secret },
    new AbortController().signal,
    (session) => testFolder(session, folder, newId()),
  );
  return { host_key_type, host_key_fingerprint, is_complete: true };
}

/** Throws EXPORT_HOST_NOT_ALLOWED and EXPORT_ENDPOINT_NOT_ALLOWED. */
const requireAllowed = ({ config }: Pick<Kernel, 'config'>, body: TestBody): Promise<void> =>
  body.type === 's3' ? requireAllowedStore(config, { ...body, secret: '' }) : requireAllowedServer(config, body);

/** True if both settings sign in at the same place as the same user. Only then is the stored secret used. */
function isSameLogin(a: queries.SecretDestination, b: TestBody): boolean {
  if (a.type === 's3') return b.type === 's3' && a.endpoint === b.endpoint && a.access_key_id === b.access_key_id;
  if (b.type === 's3') return false;
  return a.host === b.host && a.port === b.port && (b.username === undefined || a.username === b.username);
}

/** True if the test wrote where the saved destination writes. */
function isSamePlace(a: queries.SecretDestination, b: TestBody): boolean {
  if (a.folder !== b.folder) return false;
  if (a.type === 's3') return b.type === 's3' && a.bucket === b.bucket && a.region === b.region;
  return b.type === 'sftp' && a.host_key_fingerprint === b.host_key_fingerprint;
}

function hasSecret(body: TestBody): boolean {
  if (body.type === 's3') return Boolean(body.secret_access_key);
  return Boolean(body.password) || Boolean(body.private_key);
}

interface Secret {
  /** Null for a bucket. */
  auth: queries.SecretServer['auth'] | null;
  secret: string;
}

/** Throws EXPORT_SECRET_REQUIRED, EXPORT_SECRET_KEY_REQUIRED, and EXPORT_PRIVATE_KEY_INVALID. */
async function requireSecret(body: TestBody): Promise<Secret> {
  if (body.type === 's3') {
    if (!body.secret_access_key) throw new Problem('EXPORT_SECRET_KEY_REQUIRED');
    return { auth: null, secret: body.secret_access_key };
  }
  const { password, private_key } = body;
  if (Boolean(password) === Boolean(private_key)) throw new Problem('EXPORT_SECRET_REQUIRED');
  if (password) return { auth: 'password', secret: password };
  await requirePrivateKey(private_key!);
  return { auth: 'private_key', secret: private_key! };
}

function toRow(body: Body, given: Pick<queries.SecretDestination, 'secret'> & { auth?: Secret['auth'] }) {
  const { secret } = given;
  return body.type === 's3' ? { ...body, secret } : { ...body, auth: given.auth!, secret };
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

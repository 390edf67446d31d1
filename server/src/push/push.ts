/** A user's devices that get notifications, and the notification settings. */
import { createHash } from 'node:crypto';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import * as contract from '@parley/contract/push/push.ts';
import { describeDevice } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { areKeysValid, newVapidKeys, type VapidKeys } from './encryption.ts';
import * as queries from './queries.ts';

const KEYS_PLACE = { table: 'push_keys', row: 'vapid' } as const;

/** The sealed content of `push_devices.subscription`. */
export interface BrowserSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export const devicePlace = (id: string) => ({ table: 'push_devices', row: id }) as const;

/** The keys of this installation, which are created when they are first needed. */
export async function readVapidKeys({ seals }: Pick<Kernel, 'seals'>, db: Queryable): Promise<VapidKeys> {
  let row = await queries.findKeys(db);
  if (!row) {
    const { public_key, private_key } = newVapidKeys();
    await queries.insertKeys(db, { public_key, private_key: seals.seal(private_key, KEYS_PLACE) });
    row = (await queries.findKeys(db))!;
  }
  return { public_key: row.public_key, private_key: seals.open(row.private_key, KEYS_PLACE) };
}

/** Sessions belong to a user. */
function ownerFrom({ account_id, user_id, session_id }: Actor) {
  if (user_id === null || !session_id) throw new Problem('PERMISSION_REQUIRED');
  return { account_id, user_id, session_id };
}

export async function getSettings(kernel: Kernel, db: Queryable, actor: Actor): Promise<contract.PushSettings> {
  const { account_id, user_id } = ownerFrom(actor);
  const { public_key } = await readVapidKeys(kernel, db);
  const { quiet_from, quiet_until, ...settings } = await queries.readSettings(db, account_id, user_id);
  const quiet_hours = quiet_from && quiet_until ? { from: quiet_from, until: quiet_until } : null;
  return { ...settings, quiet_hours, public_key };
}

export async function saveSettings(
  { kernel, tx, actor }: Ctx,
  { quiet_hours, ...changes }: Parsed<typeof contract.updatePushSettings>['body'],
): Promise<contract.PushSettings> {
  const { account_id, user_id } = ownerFrom(actor);
  await queries.lockUser(tx, account_id, user_id);
  const before = await queries.readSettings(tx, account_id, user_id);
  const hours =
    quiet_hours === undefined ? {} : { quiet_from: quiet_hours?.from ?? null, quiet_until: quiet_hours?.until ?? null };
  await queries.saveSettings(tx, account_id, user_id, { ...before, ...changes, ...hours });
  emit(tx, contract.pushChanged, account_id, { user_id });
  return getSettings(kernel, tx, actor);
}

export const listDevices = (db: Queryable, actor: Actor): Promise<contract.PushDevice[]> =>
  queries.listDevices(db, ownerFrom(actor));

/** A browser has one subscription, so adding it again replaces its device. */
export async function addDevice(
  { kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>,
  subscription: Parsed<typeof contract.createPushDevice>['body'],
): Promise<contract.PushDevice> {
  const owner = ownerFrom(actor);
  if (!areKeysValid(subscription)) throw new Problem('PUSH_SUBSCRIPTION_INVALID', { field: 'p256dh' });
  await checkEndpoint(kernel, subscription.endpoint);
  return kernel.db.tx((tx) => storeDevice(kernel, tx, owner, subscription));
}

async function checkEndpoint(kernel: Kernel, endpoint: string): Promise<void> {
  try {
    await createOutbound(kernel.config).check(endpoint);
  } catch (error) {
    if (error instanceof OutboundError) throw new Problem('PUSH_SUBSCRIPTION_INVALID', { field: 'endpoint' });
    throw error;
  }
}

async function storeDevice(
  { seals }: Kernel,
  tx: Tx,
  owner: ReturnType<typeof ownerFrom>,
  subscription: BrowserSubscription,
): Promise<contract.PushDevice> {
  const { account_id, user_id } = owner;
  await queries.lockUser(tx, account_id, user_id);
  const endpoint_hash = createHash('sha256').update(subscription.endpoint).digest();
  await queries.lockEndpoint(tx, account_id, endpoint_hash);
  await queries.deleteEndpoint(tx, account_id, endpoint_hash);
  if ((await queries.countDevices(tx, account_id, user_id)) >= contract.PUSH_DEVICES_MAX)
    throw new Problem('PUSH_DEVICES_LIMIT_EXCEEDED');
  const id = newId();
  const name = describeDevice(await queries.readAgent(tx, owner.session_id)) || 'Unknown device';
  const sealed = seals.seal(JSON.stringify(subscription), devicePlace(id));
  const device = await queries.insertDevice(tx, { ...owner, id, name, subscription: sealed, endpoint_hash });
  emit(tx, contract.pushChanged, account_id, { user_id });
  return device;
}

export async function removeDevice(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id, user_id } = ownerFrom(actor);
  if ((await queries.deleteDevice(tx, account_id, id, user_id)) === 0) throw new Problem('PUSH_DEVICE_NOT_FOUND');
  emit(tx, contract.pushChanged, account_id, { user_id });
}

/**
 * API keys of an account. A key is stored as a hash and shown once. People grant a key only permissions that they have.
 * After a rotation, the previous key stays valid for the grace period. Every change is in the audit log.
 */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/keys/keys.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hashToken } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import { readAddress } from '../kernel/security/address_list.ts';
import { newApiKey, shownParts } from '../kernel/security/api_key.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { normalizePermissions, requireGrantable } from '../team/team.ts';
import * as queries from './queries.ts';

export { countUnapproved, requestApproval, requireApproval } from './approvals.ts';

type Caller = Acting & { actor: Actor };

/** How long the previous key stays valid if the caller does not say. */
const DEFAULT_GRACE_SECONDS = 86_400;

export async function listKeys(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof contract.listKeys>['query'],
): Promise<Paged<contract.ApiKey>> {
  const page = readPage(query);
  const search = query.filter?.search;
  const [rows, total] = await runTogether(
    queries.listKeys(db, account_id, search, page),
    queries.countKeys(db, account_id, search),
  );
  return paged(page, rows, total);
}

export async function getKey(db: Queryable, { account_id }: Actor, id: string): Promise<contract.ApiKey> {
  const key = await queries.findKey(db, account_id, id);
  if (!key) throw new Problem('API_KEY_NOT_FOUND');
  return key;
}

export async function createKey(
  tx: Tx,
  caller: Caller,
  body: Parsed<typeof contract.createKey>['body'],
): Promise<contract.ApiKey> {
  const { account_id, user_id } = caller.actor;
  const permissions = normalizePermissions(body.permissions);
  requireGrantable(caller.actor.permissions, permissions);
  await queries.lockKeys(tx, account_id);
  if ((await queries.countKeys(tx, account_id, undefined)) >= contract.MAX_KEYS)
    throw new Problem('API_KEYS_LIMIT_EXCEEDED');
  const id = newId();
  const test = body.test ?? false;
  const key = newApiKey(test);
  const row = {
    id,
    name: body.name,
    permissions,
    addresses: readAddresses(body.addresses ?? []),
    expire_date: readExpiry(tx, body.expire_date ?? null),
    test,
    requests_per_second: body.requests_per_second ?? null,
    spend_limit_micros: body.spend_limit_micros ?? null,
    approval_recipients: body.approval_recipients ?? null,
    approval_micros: body.approval_micros ?? null,
  };
  await queries.insertKey(tx, { ...row, account_id, user_id, text: storedText(key) });
  const { addresses, expire_date } = row;
  const { requests_per_second, spend_limit_micros, approval_recipients, approval_micros } = row;
  const limits = { requests_per_second, spend_limit_micros, approval_recipients, approval_micros };
  announce(tx, caller, 'key.created', row, { permissions, addresses, expire_date, test, ...limits });
  return { ...(await getKey(tx, caller.actor, id)), key };
}

const CHANGEABLE = [
  'name',
  'permissions',
  'addresses',
  'expire_date',
  'requests_per_second',
  'spend_limit_micros',
  'approval_recipients',
  'approval_micros',
] as const;

const keep = <T>(change: T | undefined, before: T): T => (change === undefined ? before : change);

export async function updateKey(
  tx: Tx,
  caller: Caller,
  id: string,
  change: Parsed<typeof contract.updateKey>['body'],
): Promise<contract.ApiKey> {
  const before = await lock(tx, caller.actor, id);
  const permissions = change.permissions ? normalizePermissions(change.permissions) : before.permissions;
  requireGrantable(caller.actor.permissions, permissions, before.permissions);
  const hasNewExpiry = change.expire_date !== undefined && change.expire_date !== before.expire_date;
  const after = {
    id,
    name: change.name ?? before.name,
    test: before.test,
    requests_per_second: keep(change.requests_per_second, before.requests_per_second),
    spend_limit_micros: keep(change.spend_limit_micros, before.spend_limit_micros),
    approval_recipients: keep(change.approval_recipients, before.approval_recipients),
    approval_micros: keep(change.approval_micros, before.approval_micros),
    permissions,
    addresses: change.addresses ? readAddresses(change.addresses) : before.addresses,
    expire_date: hasNewExpiry ? readExpiry(tx, change.expire_date!) : before.expire_date,
  };
  const changed = CHANGEABLE.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  if (changed.length > 0) {
    await queries.updateKey(tx, caller.actor.account_id, after);
    const detail = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
    announce(tx, caller, 'key.updated', before, detail);
  }
  return getKey(tx, caller.actor, id);
}

/** Only people who could create a key with these permissions get its new text. */
export async function rotateKey(
  tx: Tx,
  caller: Caller,
  id: string,
  { grace_seconds = DEFAULT_GRACE_SECONDS }: Parsed<typeof contract.rotateKey>['body'],
): Promise<contract.ApiKey> {
  const before = await lock(tx, caller.actor, id);
  requireGrantable(caller.actor.permissions, before.permissions);
  const key = newApiKey(before.test);
  await queries.rotateKey(tx, caller.actor.account_id, id, storedText(key), grace_seconds);
  announce(tx, caller, 'key.rotated', before, { grace_seconds });
  return { ...(await getKey(tx, caller.actor, id)), key };
}

export async function readUsage(db: Queryable, { account_id }: Actor, id: string) {
  if (!(await queries.findKey(db, account_id, id))) throw new Problem('API_KEY_NOT_FOUND');
  return { days: await queries.listUsage(db, account_id, id, contract.USAGE_DAYS) };
}

/**
 * Counts the cost of messages against the limit of their key, in the transaction that accepts them. Throws
 * API_KEY_SPEND_LIMIT_REACHED if the whole cost does not fit. Messages that are canceled or fail later still count.
 */
export async function countSpending(
  tx: Tx,
  { account_id, key_id, limit_micros }: { account_id: string; key_id: string; limit_micros: number },
  cost_micros: number,
): Promise<void> {
  if (cost_micros > 0 && (await queries.addSpending(tx, account_id, key_id, cost_micros)) > limit_micros)
    throw new Problem('API_KEY_SPEND_LIMIT_REACHED');
}

export async function removeKey(tx: Tx, caller: Caller, id: string): Promise<void> {
  const before = await lock(tx, caller.actor, id);
  await queries.revokeKey(tx, caller.actor.account_id, id);
  announce(tx, caller, 'key.deleted', before, {});
}

async function lock(tx: Tx, { account_id }: Actor, id: string) {
  const key = await queries.lockKey(tx, account_id, id);
  if (!key) throw new Problem('API_KEY_NOT_FOUND');
  return key;
}

function announce(
  tx: Tx,
  caller: Caller,
  action: string,
  { id, name }: { id: string; name: string },
  detail: Record<string, unknown>,
): void {
  record(tx, caller, { action, target: { type: 'key', id, name }, detail });
  emit(tx, contract.keysChanged, caller.actor.account_id, { id });
}

const storedText = (key: string) => ({ hash: hashToken(key), ...shownParts(key) });

function readAddresses(texts: readonly string[]): string[] {
  const addresses = texts.filter((text) => text !== '').map(readAddress);
  if (addresses.includes(null)) throw new Problem('API_KEY_ADDRESS_INVALID');
  return [...new Set(addresses as string[])];
}

function readExpiry(tx: Tx, text: string | null): string | null {
  if (text !== null && parseTimestamp(text) <= tx.now) throw new Problem('API_KEY_EXPIRY_INVALID');
  return text;
}

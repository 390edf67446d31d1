/**
 * SMPP for customers: their programs bind to this installation as if it were a carrier. This file manages the accounts
 * with which they bind. listener.ts accepts the sessions, and submit.ts passes their messages to the same gate as
 * `POST /v1/messages`. A password is sealed and shown once. Every change is in the audit log.
 */
import { randomInt } from 'node:crypto';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import * as contract from '@parley/contract/smpp/smpp.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { readAddress } from '../kernel/security/address_list.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { readEffectiveCaps, requireBelowCaps, requireRoom } from './caps.ts';
import * as queries from './queries.ts';

type Caller = Pick<Ctx, 'tx' | 'kernel' | 'actor' | 'address' | 'request_id' | 'headers'>;

/** The alphabet has no characters that look alike, because people copy these texts by hand. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_ALPHABET = `${ALPHABET}ABCDEFGHJKLMNPQRSTUVWXYZ`;
const SYSTEM_ID_LENGTH = 10;
/** The longest password that every program can send (SMPP 3.4, 5.2.2). */
const PASSWORD_LENGTH = 8;

const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

export async function listAccounts(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof contract.listSmppAccounts>['query'],
): Promise<Paged<contract.SmppAccount>> {
  const page = readPage(query);
  const search = query.filter?.search;
  const [rows, total] = await runTogether(
    queries.listAccounts(db, account_id, search, page),
    queries.countAccounts(db, account_id, search),
  );
  return paged(page, rows, total);
}

export async function getAccount(db: Queryable, { account_id }: Actor, id: string): Promise<contract.SmppAccount> {
  const account = await queries.findAccount(db, account_id, id);
  if (!account) throw new Problem('SMPP_ACCOUNT_NOT_FOUND');
  return account;
}

export async function readServer(db: Queryable, kernel: Kernel, { account_id }: Actor) {
  const { config } = kernel;
  return {
    host: config.SMPP_PUBLIC_HOST ?? new URL(config.PUBLIC_URL).hostname,
    port: config.SMPP_PORT,
    tls_port: config.SMPP_TLS_PORT,
    max_window: config.SMPP_WINDOW,
    ...(await readEffectiveCaps(db, kernel, account_id)),
    kept_hours: config.SMPP_KEPT_HOURS,
  };
}

/** Programs with the password send messages, so only users who may send get it. */
function requireSender(actor: Actor): void {
  if (!permits(actor.permissions, 'MESSAGES:add')) throw new Problem('SMPP_GRANT_NOT_ALLOWED');
}

export async function createAccount(
  caller: Caller,
  body: Parsed<typeof contract.createSmppAccount>['body'],
): Promise<contract.SmppAccount> {
  const { tx, kernel, actor } = caller;
  const { account_id, user_id } = actor;
  requireSender(actor);
  await queries.lockAccounts(tx, account_id);
  await requireRoom(tx, account_id, await queries.countAccounts(tx, account_id, undefined));
  const { max_binds } = await readEffectiveCaps(tx, kernel, account_id);
  const id = newId();
  const password = randomText(PASSWORD_ALPHABET, PASSWORD_LENGTH);
  const settings: queries.Settings = {
    name: body.name,
    addresses: readAddresses(body.addresses ?? []),
    sources: readSources(body.sources ?? []),
    bind_types: [...new Set(body.bind_types ?? contract.BIND_TYPES)],
    window: body.window ?? contract.SMPP_WINDOW.default,
    throughput: body.throughput ?? null,
    max_binds: body.max_binds ?? Math.min(contract.SMPP_BINDS.default, Math.max(1, max_binds)),
    tls: body.tls ?? false,
    receives_inbound: body.receives_inbound ?? true,
    status: 'active',
  };
  await requireBelowCaps(tx, account_id, settings);
  const system_id = randomText(ALPHABET, SYSTEM_ID_LENGTH);
  await queries.insertAccount(tx, {
    ...settings,
    ...{ account_id, id, user_id, system_id, password: sealPassword(kernel, id, password) },
  });
  announce(caller, 'smpp_account.created', id, body.name, { system_id, ...settings });
  return { ...(await getAccount(tx, actor, id)), password };
}

export async function updateAccount(
  caller: Caller,
  id: string,
  change: Parsed<typeof contract.updateSmppAccount>['body'],
): Promise<contract.SmppAccount> {
  const { tx, actor } = caller;
  const before = await lock(tx, actor, id);
  const after: queries.Settings = {
    ...before,
    ...change,
    addresses: change.addresses ? readAddresses(change.addresses) : before.addresses,
    sources: change.sources ? readSources(change.sources) : before.sources,
    bind_types: change.bind_types ? [...new Set(change.bind_types)] : before.bind_types,
    throughput: change.throughput === undefined ? before.throughput : change.throughput,
  };
  await requireBelowCaps(tx, actor.account_id, after, before);
  const changed = (Object.keys(before) as (keyof queries.Settings)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (changed.length > 0) {
    await queries.updateAccount(tx, actor.account_id, id, after);
    const detail = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
    announce(caller, 'smpp_account.updated', id, before.name, detail);
  }
  return getAccount(tx, actor, id);
}

/** Until the grace period ends, programs can also bind with the previous password. */
export async function replacePassword(
  caller: Caller,
  id: string,
  { grace_seconds = 0 }: Parsed<typeof contract.replaceSmppPassword>['body'],
): Promise<contract.SmppAccount> {
  const { tx, kernel, actor } = caller;
  requireSender(actor);
  const { name } = await lock(tx, actor, id);
  const password = randomText(PASSWORD_ALPHABET, PASSWORD_LENGTH);
  await queries.replacePassword(tx, actor.account_id, id, sealPassword(kernel, id, password), grace_seconds);
  announce(caller, 'smpp_account.password_replaced', id, name, { grace_seconds });
  return { ...(await getAccount(tx, actor, id)), password };
}

export async function removeAccount(caller: Caller, id: string): Promise<void> {
  const { tx, actor } = caller;
  const { name } = await lock(tx, actor, id);
  await queries.deleteAccount(tx, actor.account_id, id);
  announce(caller, 'smpp_account.deleted', id, name);
}

export async function listSessions(db: Queryable, actor: Actor, id: string): Promise<contract.SmppSession[]> {
  await getAccount(db, actor, id);
  return queries.listSessions(db, actor.account_id, id);
}

/** The process of the session reads the request within seconds. */
export async function disconnectSession(caller: Caller, id: string, session_id: string): Promise<void> {
  const { tx, actor } = caller;
  const { name } = await getAccount(tx, actor, id);
  if (!(await queries.closeSession(tx, actor.account_id, id, session_id))) throw new Problem('SMPP_SESSION_NOT_FOUND');
  announce(caller, 'smpp_session.disconnected', id, name, { session_id });
}

async function lock(tx: Tx, { account_id }: Actor, id: string): Promise<queries.Settings> {
  const account = await queries.lockAccount(tx, account_id, id);
  if (!account) throw new Problem('SMPP_ACCOUNT_NOT_FOUND');
  return account;
}

function announce(caller: Caller, action: string, id: string, name: string, detail: object = {}): void {
  const { tx, actor } = caller;
  record(tx, caller, { action, target: { type: 'smpp_account', id, name }, detail: { ...detail } });
  emit(tx, contract.smppAccountsChanged, actor.account_id, { id });
}

const sealPassword = ({ seals }: Kernel, id: string, password: string): string =>
  seals.seal(password, { table: 'smpp_accounts', row: id });

function readAddresses(texts: readonly string[]): string[] {
  const addresses = texts.filter((text) => text !== '').map(readAddress);
  if (addresses.includes(null)) throw new Problem('SMPP_ADDRESS_INVALID');
  return [...new Set(addresses as string[])];
}

/** Stores numbers as digits, because source addresses are compared as digits. */
const readSources = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => (/^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : text)).filter(Boolean)),
];

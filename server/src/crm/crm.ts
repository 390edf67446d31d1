/**
 * Connections to CRMs. A company in a CRM belongs to at most one account, and each person connects their own login.
 * Tokens are stored sealed, and go only to the CRM. Each message becomes one activity at most.
 */

import type * as contract from '@parley/contract/crm/crm.ts';
import { CRM_LABELS, CRMS, type Crm, type CrmConnection, type CrmName, crmChanged } from '@parley/contract/crm/crm.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findSender, isUsable } from '../senders/senders.ts';
import { callAs, callWith, requireConnection, tokenPlace } from './access.ts';
import { findApp, label, provider, redirectUri, requireApp } from './apps.ts';
import { retryFailed } from './logs.ts';
import { createState, fetchOwner, fetchTokens, isState, revokeTokens } from './oauth.ts';
import { CrmError, type Identity, type Tokens } from './providers/provider.ts';
import * as queries from './queries.ts';
import { unsubscribe } from './sync/hooks.ts';
import { resumeSync } from './sync/settings.ts';

export { listFramedPages } from './apps.ts';
export { panelGate } from './panel/panel_access.ts';

export async function listCrms(kernel: Kernel, db: Queryable, { account_id }: Actor): Promise<Crm[]> {
  const rows = await queries.listConnections(db, account_id);
  return Promise.all(
    CRMS.map(async (name) => {
      const row = rows.find((one) => one.provider === name);
      return {
        provider: name,
        label: CRM_LABELS[name],
        about: provider(name).about,
        is_available: findApp(kernel, name) !== null,
        connection: row ? await present(db, row) : null,
      };
    }),
  );
}

async function present(db: Queryable, row: queries.ConnectionRow): Promise<CrmConnection> {
  const { activity_type: _, ...shown } = row;
  const [users, counts] = await runTogether(
    queries.listCompanyUsers(db, row.account_id, row.provider),
    queries.countLogs(db, row.account_id, row.provider),
  );
  const state = users.some((user) => user.state === 'active') ? 'active' : 'broken';
  return { ...shown, ...counts, users, state };
}

export function authorize(kernel: Kernel, actor: Actor, name: CrmName): { url: string } {
  const app = requireApp(kernel, name);
  const answer = { redirect_uri: redirectUri(kernel, name), state: createState(kernel, actor, name) };
  return { url: provider(name).authorizeUrl(app, answer) };
}

/**
 * Connects the person who authorized the connection in the CRM. The first person of an account connects the company,
 * which only users who may change the account can do.
 */
export async function connect(
  ctx: Ctx,
  name: CrmName,
  { code, state }: { code: string; state?: string | undefined },
): Promise<CrmConnection> {
  const { kernel, actor } = ctx;
  requireApp(kernel, name);
  if (state !== undefined && !isState(kernel, actor, name, state)) throw new Problem('CRM_STATE_INVALID');
  const before = await queries.findConnection(kernel.db, actor.account_id, name);
  if (!before && !permits(actor.permissions, 'ACCOUNTS:edit'))
    throw new Problem('PERMISSION_REQUIRED', { message: needReason('ACCOUNTS:edit') });
  const granted = await readGrant(kernel, name, code);
  try {
    return await kernel.db.tx((tx) => storeGrant(tx, ctx, name, granted));
  } catch (error) {
    if (error instanceof Problem) await revokeTokens(kernel, name, granted.tokens.refresh_token);
    throw error;
  }
}

interface Granted {
  tokens: Tokens;
  identity: Identity;
  activity_type: string;
}

async function readGrant(kernel: Kernel, name: CrmName, code: string): Promise<Granted> {
  try {
    const redirect_uri = redirectUri(kernel, name);
    const tokens = await fetchTokens(kernel, name, { grant_type: 'authorization_code', code, redirect_uri });
    const call = callWith(kernel, tokens);
    return {
      tokens,
      identity: await provider(name).identify(call, await fetchOwner(kernel, name, tokens.access_token)),
      activity_type: await provider(name).activityType(call),
    };
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    const internal = error.message;
    throw new Problem(error.fault === 'busy' ? 'CRM_UNREACHABLE' : 'CRM_CODE_INVALID', { internal });
  }
}

async function storeGrant(
  tx: Tx,
  ctx: Ctx,
  name: CrmName,
  { tokens, identity, activity_type }: Granted,
): Promise<CrmConnection> {
  const { kernel, actor } = ctx;
  const { account_id } = actor;
  const { company_id, company_name, company_url } = identity;
  const connected = await queries.findConnection(tx, account_id, name);
  if (connected && connected.company_id !== company_id) throw new Problem('CRM_OTHER_COMPANY');
  const owner = await queries.claimCompany(tx, name, company_id, account_id);
  if (owner.account_id !== account_id) throw new Problem('CRM_COMPANY_TAKEN');
  const key = { account_id, provider: name };
  await queries.upsertConnection(tx, { ...key, company_id, company_name, company_url, activity_type });
  const place = tokenPlace({ ...key, id: identity.id });
  await queries.upsertUser(tx, {
    ...key,
    id: identity.id,
    user_id: actor.user_id!,
    name: identity.name,
    email: identity.email,
    api_url: tokens.api_url,
    access_token: kernel.seals.seal(tokens.access_token, place),
    refresh_token: kernel.seals.seal(tokens.refresh_token, place),
    token_expire_date: new Date(tx.now.getTime() + tokens.expires_in * 1_000),
  });
  await retryFailed(tx, account_id, name);
  await resumeSync(tx, { account_id, provider: name });
  record(tx, ctx, {
    action: 'crm.connected',
    target: { type: 'crm', id: name, name: label(name) },
    detail: { company: company_name, person: identity.email },
  });
  emit(tx, crmChanged, account_id, { provider: name });
  return present(tx, await requireConnection(tx, actor.account_id, name));
}

export async function updateConnection(
  tx: Tx,
  actor: Actor,
  name: CrmName,
  body: Parsed<typeof contract.updateCrm>['body'],
): Promise<CrmConnection> {
  const row = await requireConnection(tx, actor.account_id, name);
  const { sender_id = row.sender_id, logs_messages = row.logs_messages } = body;
  if (sender_id !== null && sender_id !== row.sender_id) {
    const sender = await findSender(tx, actor.account_id, sender_id);
    if (!sender || !isUsable(sender)) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  }
  await queries.updateConnection(tx, { account_id: actor.account_id, provider: name, sender_id, logs_messages });
  emit(tx, crmChanged, actor.account_id, { provider: name });
  return present(tx, await requireConnection(tx, actor.account_id, name));
}

export async function retryLogs(tx: Tx, actor: Actor, name: CrmName): Promise<{ retried_count: number }> {
  await requireConnection(tx, actor.account_id, name);
  const retried_count = await retryFailed(tx, actor.account_id, name);
  emit(tx, crmChanged, actor.account_id, { provider: name });
  return { retried_count };
}

/** Deletes the tokens first, so that nothing can use them, and then notifies the CRM. */
export async function disconnect(ctx: Ctx, name: CrmName): Promise<void> {
  const { kernel, actor } = ctx;
  const { account_id } = actor;
  await removeHooks(kernel, account_id, name);
  const tokens = await kernel.db.tx(async (tx) => {
    const { company_name } = await requireConnection(tx, actor.account_id, name);
    const rows = await queries.listActiveTokens(tx, account_id, name);
    await queries.deleteConnection(tx, account_id, name);
    record(tx, ctx, {
      action: 'crm.disconnected',
      target: { type: 'crm', id: name, name: label(name) },
      detail: { company: company_name },
    });
    emit(tx, crmChanged, account_id, { provider: name });
    return rows.map((row) => kernel.seals.open(row.refresh_token, tokenPlace(row)));
  });
  if (!findApp(kernel, name)) return;
  for (const token of tokens) await revokeTokens(kernel, name, token);
}

/** Only while a person is connected. The CRM ends the webhooks of an app that was uninstalled. */
async function removeHooks(kernel: Kernel, account_id: string, name: CrmName): Promise<void> {
  const ids = await queries.takeHooks(kernel.db, account_id, name);
  const user =
    ids.length > 0 && findApp(kernel, name) && (await queries.findActiveUser(kernel.db, account_id, name, null));
  if (user) await unsubscribe(kernel, name, ids, callAs(kernel, { account_id, provider: name, id: user.id }));
}

/** Called when a person uninstalls the app in the CRM, which has then revoked their tokens. */
export async function forgetPerson(kernel: Kernel, name: CrmName, company_id: string, id: string): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const owner = await queries.findCompanyAccount(tx, name, company_id);
    if (!owner) return;
    const { account_id } = owner;
    if ((await queries.deleteUser(tx, account_id, name, id)) === 0) return;
    if ((await queries.listCompanyUsers(tx, account_id, name)).length === 0)
      await queries.setLastError(tx, account_id, name, `The app was uninstalled in ${label(name)}.`);
    emit(tx, crmChanged, account_id, { provider: name });
  });
}

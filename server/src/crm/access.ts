/** Calls to the API of a CRM on behalf of a person. Tokens are stored sealed, and renewed when they have expired. */
import { type CrmName, crmChanged } from '@parley/contract/crm/crm.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { GuardedResponse } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { requireApp } from './apps.ts';
import { fetchTokens, send } from './oauth.ts';
import { type Call, CrmError, type Tokens } from './providers/provider.ts';
import { type ConnectionRow, type CrmUserRow, findActiveUser, findConnection, findCrmUser } from './queries.ts';

/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 60_000;
const ERROR_LENGTH = 200;
const MAX_WAIT_SECONDS = 86_400;

type Person = Pick<CrmUserRow, 'account_id' | 'provider' | 'id'>;

/** The place that a person's sealed tokens are bound to. */
export const tokenPlace = ({ account_id, provider, id }: Person) => {
  return { table: 'crm_users', row: `${account_id} ${provider} ${id}` };
};

/** Returns the function that calls the CRM with tokens that are not stored yet. */
export const callWith =
  (kernel: Pick<Kernel, 'config'>, { api_url, access_token }: Pick<Tokens, 'api_url' | 'access_token'>): Call =>
  async (method, path, body) => {
    const {
      status,
      headers,
      body: content,
    } = await send(kernel, api_url + path, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${access_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = content.toString('utf8');
    if (status >= 200 && status < 300) return text === '' ? null : JSON.parse(text);
    const message = `${method} ${path.split('?')[0]} got status ${status}: ${text.slice(0, ERROR_LENGTH)}`;
    if (status === 401) throw new CrmError('signed_out', message);
    if (status === 404 || status === 410) throw new CrmError('missing', message);
    if (status === 429 || status >= 500) throw new CrmError('busy', message, waitSeconds(headers));
    throw new CrmError('refused', message);
  };

/** How long the CRM asks to wait: `Retry-After` in seconds or as a date, or the seconds until the limit is reset. */
export function waitSeconds(headers: GuardedResponse['headers']): number | null {
  const text = String(headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? '').trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS) : null;
}

/**
 * Returns the function that calls the CRM for a connected person. An expired token is renewed, at most once per call.
 */
export function callAs(kernel: Kernel, person: Person): Call {
  return async (method, path, body) => {
    const user = await readUser(kernel, person);
    const fresh = user.token_expire_date.getTime() - MARGIN_MS > kernel.clock.now().getTime();
    const first = fresh ? user : await renew(kernel, user);
    try {
      return await callWith(kernel, first)(method, path, body);
    } catch (error) {
      if (!(error instanceof CrmError) || error.fault !== 'signed_out' || !fresh) throw error;
      return await callWith(kernel, await renew(kernel, user))(method, path, body);
    }
  };
}

export async function requireConnection(db: Queryable, account_id: string, name: CrmName): Promise<ConnectionRow> {
  const row = await findConnection(db, account_id, name);
  if (!row) throw new Problem('CRM_NOT_CONNECTED');
  return row;
}

/** Returns the function that calls the CRM for any of the account's connected people. */
export async function callAsAny(kernel: Kernel, account_id: string, name: CrmName): Promise<Call> {
  await requireConnection(kernel.db, account_id, name);
  requireApp(kernel, name);
  const user = await findActiveUser(kernel.db, account_id, name, null);
  if (!user) throw new Problem('CRM_USER_NOT_CONNECTED');
  return callAs(kernel, { account_id, provider: name, id: user.id });
}

/** The problem that a caller gets for a failed call of the CRM. */
export function toCallProblem(error: unknown): never {
  if (!(error instanceof CrmError)) throw error;
  const names = {
    busy: 'CRM_UNREACHABLE',
    refused: 'CRM_UNREACHABLE',
    missing: 'CRM_RECORD_NOT_FOUND',
    signed_out: 'CRM_USER_NOT_CONNECTED',
  } as const;
  throw new Problem(names[error.fault], { internal: error.message });
}

async function readUser(kernel: Kernel, person: Person): Promise<CrmUserRow> {
  const row = await findCrmUser(kernel.db, person.account_id, person.provider, person.id);
  if (row?.state !== 'active') throw new CrmError('signed_out', 'The person is not connected');
  const place = tokenPlace(person);
  const { seals } = kernel;
  return {
    ...row,
    access_token: seals.open(row.access_token, place),
    refresh_token: seals.open(row.refresh_token, place),
  };
}

const renewals = new Map<string, Promise<CrmUserRow>>();

/** Concurrent renewals for the same person share one request. */
function renew(kernel: Kernel, user: CrmUserRow): Promise<CrmUserRow> {
  const key = `${kernel.db.url} ${tokenPlace(user).row}`;
  const running = renewals.get(key) ?? renewNow(kernel, user).finally(() => renewals.delete(key));
  renewals.set(key, running);
  return running;
}

async function renewNow(kernel: Kernel, user: CrmUserRow): Promise<CrmUserRow> {
  try {
    const tokens = await fetchTokens(kernel, user.provider, {
      grant_type: 'refresh_token',
      refresh_token: user.refresh_token,
    });
    await storeTokens(kernel, user, tokens);
    return { ...user, ...tokens };
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault !== 'signed_out') throw error;
    // Another process may have renewed the tokens in the meantime.
    const now = await readUser(kernel, user);
    if (now.refresh_token !== user.refresh_token) return now;
    await markBroken(kernel, user);
    throw error;
  }
}

async function storeTokens(kernel: Kernel, user: CrmUserRow, tokens: Tokens): Promise<void> {
  const place = tokenPlace(user);
  const expire_date = new Date(kernel.clock.now().getTime() + tokens.expires_in * 1_000);
  await kernel.db.run(sql`
    update crm_users set access_token = ${kernel.seals.seal(tokens.access_token, place)},
      refresh_token = ${kernel.seals.seal(tokens.refresh_token, place)}, token_expire_date = ${expire_date},
      api_url = ${tokens.api_url}, update_date = ${kernel.clock.now()}
    where account_id = ${user.account_id} and provider = ${user.provider} and id = ${user.id}`);
}

const markBroken = (kernel: Kernel, { account_id, provider, id }: Person): Promise<void> =>
  kernel.db.tx(async (tx) => {
    await tx.run(sql`
      update crm_users set state = 'broken', update_date = ${tx.now}
      where account_id = ${account_id} and provider = ${provider} and id = ${id}`);
    emit(tx, crmChanged, account_id, { provider: provider as CrmName });
  });

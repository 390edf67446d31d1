/**
 * Calls every endpoint in the contract once as each kind of caller, except an ordinary user with all permissions. The
 * expected result follows from the endpoint (needs, audience, verified), so new endpoints are covered automatically.
 */
import { type AnyEndpoint, endpointPath } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { allPermissions, type Need, type Permissions, permits, split } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Sql, sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeUser } from './make.ts';
import { makeSubAccount } from './team.ts';
import { type Caller, createWorld, type World } from './world.ts';

let world: World;
let operators: Company;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
});
afterAll(() => world.stop());

/** Panels have their own tokens; authorization.test.ts covers them. */
const guarded = ENDPOINTS.filter(({ needs, audience }) => needs !== 'public' && audience !== 'panel');
/** Endpoints that end the caller's session. Each call to them gets its own session. */
const ENDS_SESSION = new Set(['auth.sign_out', 'auth_sessions.end']);

type Code = 1135 | 1136 | 1138 | 1141 | 1142 | 1143 | 1144 | 1524;
/** Codes that only the gate returns. 1101 means that the caller is unknown. */
const GATE = new Set<number>([1101, 1135, 1136, 1138, 1141, 1142, 1143, 1144, 1524]);

const listNeeds = ({ needs }: AnyEndpoint): Need[] => (needs === null ? [] : [needs].flat()) as Need[];
const isPersonal = ({ audience }: AnyEndpoint) => audience === 'person';
const needsPayments = (endpoint: AnyEndpoint) =>
  listNeeds(endpoint).some((need) => split(need).resource === 'PAYMENTS');

async function readCode(caller: Caller, endpoint: AnyEndpoint): Promise<number | 'defect' | null> {
  // Uses IDs that do not exist, because the gate rejects a caller before any lookup.
  const path = endpointPath(endpoint.path, new Proxy({}, { get: () => newId(), has: () => true }));
  const init: RequestInit = { method: endpoint.method };
  if (endpoint.upload) {
    const form = new FormData();
    form.append('file', new Blob(['Number\n447410000128\n']), 'a.csv');
    init.body = form;
  } else if (endpoint.body)
    Object.assign(init, { headers: { 'content-type': 'application/json' }, body: '{"data":{}}' });
  // A stream never ends, so its start counts as success.
  if (endpoint.raw === 'text/event-stream') init.signal = AbortSignal.timeout(500);
  const reply = await caller.raw(path, init).catch((error: unknown) => {
    if (endpoint.raw === 'text/event-stream') return null;
    throw error;
  });
  if (!reply || reply.status < 400) return null;
  return reply.status < 500 ? reply.body.errors[0].code : 'defect';
}

/**
 * Lists endpoints whose code differs from the expected one. An expected null means that the gate must not reject the
 * call.
 */
async function findMismatches(
  signIn: () => Promise<Caller>,
  expectCode: (endpoint: AnyEndpoint) => Code | null,
): Promise<string[]> {
  const caller = await signIn();
  const lines: string[] = [];
  for (const endpoint of guarded) {
    const code = await readCode(ENDS_SESSION.has(endpoint.id) ? await signIn() : caller, endpoint);
    const expected = expectCode(endpoint);
    const isFromGate = code !== null && code !== 'defect' && GATE.has(code);
    const isExpected = expected === null ? code !== 'defect' && !isFromGate : code === expected;
    if (!isExpected) lines.push(`${endpoint.id} returned ${code ?? 'success'}, expected ${expected ?? 'no gate code'}`);
  }
  return lines;
}

const updateAccount = (account_id: string, assignment: Sql) =>
  world.kernel.db.run(sql`update accounts set ${assignment} where id = ${account_id}`);
const TRIAL_OVER = sql`tags = '{PAID0}', create_date = now() - interval '31 days'`;
/** Everyone may create a campaign draft, so the operations themselves reject a campaign's start. */
const isSending = ({ id, verified }: AnyEndpoint) =>
  verified === true || ['campaigns.create', 'campaign_imports.create'].includes(id);
const operatorsOnly = ({ audience }: AnyEndpoint): Code | null => (audience === 'operator' ? 1138 : null);

describe('every endpoint', () => {
  it('rejects an API key with all permissions if it requires a session or a person', async () => {
    const signIn = async () => {
      const { account_id } = await makeCompany(world.kernel);
      return world.as({ key: await makeKey(world.kernel, account_id) });
    };
    const personal = guarded.filter(isPersonal).length;
    expect(personal).toBeGreaterThan(20);
    expect(
      await findMismatches(signIn, (endpoint) =>
        endpoint.audience === 'session' || isPersonal(endpoint) ? 1136 : operatorsOnly(endpoint),
      ),
    ).toEqual([]);
  });

  it('rejects a blocked user', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const signIn = async () =>
      world.as((await makeUser(world.kernel, account_id, { status: 'BLOCKED', permissions: allPermissions() })).token);
    expect(await findMismatches(signIn, () => 1135)).toEqual([]);
  });

  it('rejects the owner of a blocked account', async () => {
    const signIn = async () => world.as((await makeCompany(world.kernel, { status: 'BLOCKED' })).token);
    expect(await findMismatches(signIn, () => 1135)).toEqual([]);
  });

  it('rejects a blocked account’s API key', async () => {
    const signIn = async () => {
      const { account_id } = await makeCompany(world.kernel, { status: 'BLOCKED' });
      return world.as({ key: await makeKey(world.kernel, account_id) });
    };
    expect(await findMismatches(signIn, () => 1135)).toEqual([]);
  });

  it('allows only reading and paying after the account’s trial has expired', async () => {
    const signIn = async () => {
      const company = await makeCompany(world.kernel);
      await updateAccount(company.account_id, TRIAL_OVER);
      return world.as(company.token);
    };
    expect(
      await findMismatches(signIn, (endpoint) => {
        if (operatorsOnly(endpoint)) return 1138;
        const isOpen = endpoint.needs === null || endpoint.method === 'GET' || needsPayments(endpoint);
        return isOpen ? null : 1142;
      }),
    ).toEqual([]);
  });

  it('rejects sending by the owner of an unverified account', async () => {
    const signIn = async () => world.as((await makeCompany(world.kernel, { status: 'UNVERIFIED' })).token);
    expect(guarded.filter(({ verified }) => verified).length).toBeGreaterThan(5);
    expect(
      await findMismatches(signIn, (endpoint) => operatorsOnly(endpoint) ?? (isSending(endpoint) ? 1524 : null)),
    ).toEqual([]);
  });

  it('rejects an owner without a verified phone', async () => {
    const signIn = async () => {
      const { account_id } = await makeCompany(world.kernel);
      return world.as((await makeUser(world.kernel, account_id, { owner: true, status: 'EMAIL_VERIFIED' })).token);
    };
    expect(
      await findMismatches(signIn, (endpoint) => operatorsOnly(endpoint) ?? (endpoint.needs === null ? null : 1141)),
    ).toEqual([]);
  });

  it('rejects a user who must set up 2FA first', async () => {
    const signIn = async () => {
      const { account_id, token } = await makeCompany(world.kernel);
      await updateAccount(account_id, sql`second_factor_required = true`);
      return world.as(token);
    };
    expect(
      await findMismatches(signIn, (endpoint) => operatorsOnly(endpoint) ?? (endpoint.needs === null ? null : 1144)),
    ).toEqual([]);
  });

  it('rejects an operator without 2FA', async () => {
    const signIn = async () => {
      const { user_id, token } = await makeUser(world.kernel, operators.account_id, { owner: true });
      await world.kernel.db.run(sql`update sessions set second_factor = false where user_id = ${user_id}`);
      return world.as(token);
    };
    expect(await findMismatches(signIn, (endpoint) => (endpoint.needs === null ? null : 1144))).toEqual([]);
  });
});

/** Opens a session on behalf of the owner of `account_id`. */
async function enter(account_id: string, method: 'switch' | 'impersonation', company: Company): Promise<Caller> {
  const session = await world.kernel.db.tx(async (tx) => {
    const owner = await tx.one<{ id: string }>(sql`select id from users where account_id = ${account_id} and is_owner`);
    return openSession(
      tx,
      { account_id, user_id: owner.id },
      { address: '127.0.0.1', agent: 'test' },
      { method, second_factor: true, real: { ...company, session_id: null } },
    );
  });
  return world.as(session.access_token);
}

/** Returns the expected codes for a session on behalf of another user. Sub-accounts cannot have sub-accounts. */
const onBehalf =
  (permissions: Permissions, sub_account = true) =>
  (endpoint: AnyEndpoint): Code | null => {
    if (operatorsOnly(endpoint)) return 1138;
    if (isPersonal(endpoint)) return 1143;
    if (sub_account && endpoint.id === 'subaccounts.list') return 1136;
    return endpoint.needs === null || endpoint.needs === 'public' || permits(permissions, endpoint.needs) ? null : 1136;
  };

describe('every endpoint called on behalf of another user', () => {
  it('allows an operator every action except managing keys and deleting files', async () => {
    const signIn = async () => enter((await makeCompany(world.kernel)).account_id, 'impersonation', operators);
    const expectCode = onBehalf({ ...allPermissions(), KEYS: 0, MEDIA: 3 }, false);
    expect(guarded.filter((endpoint) => expectCode(endpoint) === 1136).map(({ id }) => id)).toContain('media.remove');
    expect(await findMismatches(signIn, expectCode)).toEqual([]);
  });

  it('allows the owner of a parent account every non-personal action in a sub-account', async () => {
    const signIn = async () => {
      const parent = await makeCompany(world.kernel);
      return enter(await makeSubAccount(world.kernel, parent), 'switch', parent);
    };
    expect(await findMismatches(signIn, onBehalf(allPermissions()))).toEqual([]);
  });

  it('does not allow a user of a parent account more in a sub-account than in the parent account', async () => {
    const permissions = { ACCOUNTS: 5, CAMPAIGNS: 1 };
    const signIn = async () => {
      const parent = await makeCompany(world.kernel);
      const { user_id } = await makeUser(world.kernel, parent.account_id, { permissions });
      return enter(await makeSubAccount(world.kernel, parent), 'switch', { ...parent, user_id });
    };
    expect(await findMismatches(signIn, onBehalf(permissions))).toEqual([]);
  });
});

/**
 * Generated from the contract: every endpoint against everybody who is somebody, but not an ordinary user with all rights. What each is told follows from
 * the endpoint's own words (needs, audience, verified), so one that is added tomorrow is tried as well. One request each.
 */
import { type AnyEndpoint, pathOf } from '@parley/contract/endpoint.ts';
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
}, 60_000);
afterAll(() => world.stop());

const guarded = ENDPOINTS.filter((endpoint) => endpoint.needs !== 'public');
/** These end the session they are called with: each gets one of its own. */
const ENDS = new Set(['auth.sign_out', 'auth_sessions.end']);

type Code = 1135 | 1136 | 1138 | 1141 | 1142 | 1143 | 1144 | 1524;
/** What only the gate says; 1101 would be somebody it does not know at all. */
const GATE = new Set<number>([1101, 1135, 1136, 1138, 1141, 1142, 1143, 1144, 1524]);

const needsOf = ({ needs }: AnyEndpoint): Need[] => (needs === null ? [] : [needs].flat()) as Need[];
const isPersonal = ({ audience }: AnyEndpoint) => audience === 'person';
const ofPayments = (endpoint: AnyEndpoint) => needsOf(endpoint).some((need) => split(need).resource === 'PAYMENTS');

async function codeOf(caller: Caller, endpoint: AnyEndpoint): Promise<number | 'defect' | null> {
  // Of nothing that is there: whoever is refused is refused before anything is looked for.
  const path = pathOf(endpoint.path, new Proxy({}, { get: () => newId(), has: () => true }));
  const init: RequestInit = { method: endpoint.method };
  if (endpoint.upload) {
    const form = new FormData();
    form.append('file', new Blob(['Number\n447410000128\n']), 'a.csv');
    init.body = form;
  } else if (endpoint.body)
    Object.assign(init, { headers: { 'content-type': 'application/json' }, body: '{"data":{}}' });
  // A stream answers for ever: that it begins is the answer.
  if (endpoint.raw === 'text/event-stream') init.signal = AbortSignal.timeout(500);
  const reply = await caller.raw(path, init).catch((error: unknown) => {
    if (endpoint.raw === 'text/event-stream') return null;
    throw error;
  });
  if (!reply || reply.status < 400) return null;
  return reply.status < 500 ? reply.body.errors[0].code : 'defect';
}

/** Lines where an endpoint answered otherwise than `wanted` says; null: not the gate's business. */
async function surprises(
  begin: () => Promise<Caller>,
  wanted: (endpoint: AnyEndpoint) => Code | null,
): Promise<string[]> {
  const caller = await begin();
  const lines: string[] = [];
  for (const endpoint of guarded) {
    const code = await codeOf(ENDS.has(endpoint.id) ? await begin() : caller, endpoint);
    const want = wanted(endpoint);
    const right = want === null ? code !== 'defect' && !(code !== null && GATE.has(code)) : code === want;
    if (!right) lines.push(`${endpoint.id} answered ${code ?? 'yes'}, wanted ${want ?? 'anything of its own'}`);
  }
  return lines;
}

const change = (account_id: string, what: Sql) =>
  world.kernel.db.run(sql`update accounts set ${what} where id = ${account_id}`);
const OVER = sql`tags = '{PAID0}', create_date = now() - interval '31 days'`;
/** Whoever may not send starts no campaign; a draft is kept, so it is the operation that says it. */
const isSending = ({ id, verified }: AnyEndpoint) => verified === true || id === 'campaigns.create';
const operatorsOnly = ({ audience }: AnyEndpoint): Code | null => (audience === 'operator' ? 1138 : null);

describe('every endpoint, called by', () => {
  it('an API key with all permissions: whatever is of a session or a person is closed', async () => {
    const begin = async () => {
      const { account_id } = await makeCompany(world.kernel);
      return world.as({ key: await makeKey(world.kernel, account_id) });
    };
    const personal = guarded.filter(isPersonal).length;
    expect(personal).toBeGreaterThan(20);
    expect(
      await surprises(begin, (endpoint) =>
        endpoint.audience === 'session' || isPersonal(endpoint) ? 1136 : operatorsOnly(endpoint),
      ),
    ).toEqual([]);
  });

  it('a blocked user', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const begin = async () =>
      world.as((await makeUser(world.kernel, account_id, { status: 'BLOCKED', permissions: allPermissions() })).token);
    expect(await surprises(begin, () => 1135)).toEqual([]);
  });

  it('the owner of a blocked account', async () => {
    const begin = async () => world.as((await makeCompany(world.kernel, { status: 'BLOCKED' })).token);
    expect(await surprises(begin, () => 1135)).toEqual([]);
  });

  it('a key of a blocked account', async () => {
    const begin = async () => {
      const { account_id } = await makeCompany(world.kernel, { status: 'BLOCKED' });
      return world.as({ key: await makeKey(world.kernel, account_id) });
    };
    expect(await surprises(begin, () => 1135)).toEqual([]);
  });

  it('the owner of an account whose trial is over: it is read and paid for, nothing else', async () => {
    const begin = async () => {
      const company = await makeCompany(world.kernel);
      await change(company.account_id, OVER);
      return world.as(company.token);
    };
    expect(
      await surprises(begin, (endpoint) => {
        if (operatorsOnly(endpoint)) return 1138;
        const open = endpoint.needs === null || endpoint.method === 'GET' || ofPayments(endpoint);
        return open ? null : 1142;
      }),
    ).toEqual([]);
  });

  it('the owner of an account that is not verified', async () => {
    const begin = async () => world.as((await makeCompany(world.kernel, { status: 'UNVERIFIED' })).token);
    expect(guarded.filter(({ verified }) => verified).length).toBeGreaterThan(5);
    expect(
      await surprises(begin, (endpoint) => operatorsOnly(endpoint) ?? (isSending(endpoint) ? 1524 : null)),
    ).toEqual([]);
  });

  it('an owner who has to verify a phone first', async () => {
    const begin = async () => {
      const { account_id } = await makeCompany(world.kernel);
      return world.as((await makeUser(world.kernel, account_id, { owner: true, status: 'EMAIL_VERIFIED' })).token);
    };
    expect(
      await surprises(begin, (endpoint) => operatorsOnly(endpoint) ?? (endpoint.needs === null ? null : 1141)),
    ).toEqual([]);
  });

  it('somebody who has to set up a second factor first', async () => {
    const begin = async () => {
      const { account_id, token } = await makeCompany(world.kernel);
      await change(account_id, sql`second_factor_required = true`);
      return world.as(token);
    };
    expect(
      await surprises(begin, (endpoint) => operatorsOnly(endpoint) ?? (endpoint.needs === null ? null : 1144)),
    ).toEqual([]);
  });

  it('an operator who has none yet', async () => {
    const begin = async () => {
      const { user_id, token } = await makeUser(world.kernel, operators.account_id, { owner: true });
      await world.kernel.db.run(sql`update sessions set second_factor = false where user_id = ${user_id}`);
      return world.as(token);
    };
    expect(await surprises(begin, (endpoint) => (endpoint.needs === null ? null : 1144))).toEqual([]);
  });
});

/** A session in the name of the owner of `account_id`. */
async function enter(account_id: string, method: 'switch' | 'impersonation', real: Company): Promise<Caller> {
  const session = await world.kernel.db.tx(async (tx) => {
    const owner = await tx.one<{ id: string }>(sql`select id from users where account_id = ${account_id} and is_owner`);
    return openSession(
      tx,
      { account_id, user_id: owner.id },
      { address: '127.0.0.1', agent: 'test' },
      { method, second_factor: true, real: { ...real, session_id: null } },
    );
  });
  return world.as(session.access_token);
}

/** Sub-accounts have none of their own. */
const inAnothersName =
  (permissions: Permissions, sub_account = true) =>
  (endpoint: AnyEndpoint): Code | null => {
    if (operatorsOnly(endpoint)) return 1138;
    if (isPersonal(endpoint)) return 1143;
    if (sub_account && endpoint.id === 'subaccounts.list') return 1136;
    return endpoint.needs === null || endpoint.needs === 'public' || permits(permissions, endpoint.needs) ? null : 1136;
  };

describe('every endpoint, in another’s name:', () => {
  it('an operator may all but keys and taking files away', async () => {
    const begin = async () => enter((await makeCompany(world.kernel)).account_id, 'impersonation', operators);
    const wanted = inAnothersName({ ...allPermissions(), KEYS: 0, MEDIA: 3 }, false);
    expect(guarded.filter((endpoint) => wanted(endpoint) === 1136).map(({ id }) => id)).toContain('media.remove');
    expect(await surprises(begin, wanted)).toEqual([]);
  });

  it('the owner of the parent company may all in a sub-account that is not personal', async () => {
    const begin = async () => {
      const parent = await makeCompany(world.kernel);
      return enter(await makeSubAccount(world.kernel, parent), 'switch', parent);
    };
    expect(await surprises(begin, inAnothersName(allPermissions()))).toEqual([]);
  });

  it('a user of the parent company may no more in a sub-account than at home', async () => {
    const permissions = { ACCOUNTS: 5, CAMPAIGNS: 1 };
    const begin = async () => {
      const parent = await makeCompany(world.kernel);
      const { user_id } = await makeUser(world.kernel, parent.account_id, { permissions });
      return enter(await makeSubAccount(world.kernel, parent), 'switch', { ...parent, user_id });
    };
    expect(await surprises(begin, inAnothersName(permissions))).toEqual([]);
  });
});

import { ENDPOINTS } from '@parley/contract/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';

const clock = heldClock(new Date());
let world: World;
let operators: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
});
afterAll(() => world?.stop());

const codes = ({ body }: Reply): number[] => body.errors.map(({ code }: { code: number }) => code);
const reason = 'Ticket 4711: campaign will not start';
const requestKey = (account_id: string, fields: object = {}) =>
  api.post('/v1/auth_sessions', { account_id, reason, ...fields });
const open = (key: string) => world.as().get(`/v1/auth_sessions/${key}`);
const enter = async (account_id: string, fields: object = {}): Promise<string> =>
  (await open((await requestKey(account_id, fields)).body.data.session_id)).body.data.access_token;
const log = (account_id: string) =>
  world.kernel.db.rows<Record<string, unknown>>(sql`
    select action, user_id, real_user_id, actor_name, target_id, detail from audit_log where account_id = ${account_id}
    order by number`);

describe('entering an account', () => {
  test('opens the owner’s view for 30 minutes without API keys, and is logged in both accounts', async () => {
    const company = await makeCompany(world.kernel);
    const reply = await requestKey(company.account_id);
    expect(reply.status).toBe(201);
    const { session_id, url } = reply.body.data;
    expect(url).toBe(`${world.kernel.config.PUBLIC_URL}/?session_id=${session_id}`);
    expect(
      await world.kernel.db.rows(sql`select to_jsonb(s)::text as text from auth_sessions s`).then(JSON.stringify),
    ).not.toContain(session_id);

    const session = await open(session_id);
    expect(session.status).toBe(200);
    expect(session.headers.get('cache-control')).toBe('no-store');
    const impersonator = world.as(session.body.data.access_token);
    const { body } = await impersonator.get('/v1/users/self');
    expect(body.data).toMatchObject({
      id: company.user_id,
      account_id: company.account_id,
      pending: null,
      impersonation: { operator_name: 'Test Person', reason, kind: 'operator' },
      permissions: { ACCOUNTS: 15, PAYMENTS: 15, KEYS: 0, MEDIA: 3 },
    });
    const minutes =
      (Date.parse(`${session.body.data.expire_date.replace(' ', 'T')}Z`) - clock.now().getTime()) / 60_000;
    expect(Math.round(minutes)).toBe(30);

    const startEntry = {
      action: 'impersonation.started',
      user_id: company.user_id,
      real_user_id: operators.user_id,
      actor_name: 'Test Person',
      target_id: company.account_id,
    };
    expect(await log(company.account_id)).toMatchObject([{ ...startEntry, detail: { reason, minutes: 30 } }]);
    expect((await log(operators.account_id)).slice(-2)).toMatchObject([
      { action: 'impersonation.requested', user_id: operators.user_id, real_user_id: null },
      startEntry,
    ]);
    const customerLog = await world.as(company.token).get('/v1/audit_log');
    expect(customerLog.body.data).toMatchObject([{ action: 'impersonation.started', actor_name: 'Test Person' }]);

    // Changes are recorded under the operator's name.
    await impersonator.put('/v1/accounts/self', { company_address: 'A new address 1' });
    expect((await log(company.account_id)).at(-1)).toMatchObject({
      action: 'account.updated',
      user_id: company.user_id,
      real_user_id: operators.user_id,
    });
  });

  test('lasts only as long as the operator’s session, and an unused key is then rejected and logged', async () => {
    const company = await makeCompany(world.kernel);
    const operator = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 5 } });
    const other = world.as(operator.token);
    const key = async () =>
      (await other.post('/v1/auth_sessions', { account_id: company.account_id, reason })).body.data.session_id;
    const impersonator = world.as((await open(await key())).body.data.access_token);
    expect((await impersonator.get('/v1/accounts/self')).status).toBe(200);
    const unusedKey = await key();
    await other.delete('/v1/users/self/token');
    expect(codes(await impersonator.get('/v1/accounts/self'))).toEqual([1101]);
    expect(codes(await open(unusedKey))).toEqual([1152]);
    expect((await log(operators.account_id)).at(-1)).toMatchObject({
      action: 'impersonation.refused',
      user_id: null,
      target_id: company.account_id,
      detail: { requested_by: operator.user_id, expired: false },
    });
    // The operator's session expires without being ended.
    const again = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 5 } });
    const key_reply = await world.as(again.token).post('/v1/auth_sessions', { account_id: company.account_id, reason });
    const secondImpersonator = world.as((await open(key_reply.body.data.session_id)).body.data.access_token);
    await world.kernel.db.run(sql`update sessions set expire_date = ${clock.now()} where user_id = ${again.user_id}`);
    expect(codes(await secondImpersonator.get('/v1/accounts/self'))).toEqual([1101]);
  });

  test('opens a specific user’s view when that user is requested', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const agent = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 1 } });
    const impersonator = world.as(await enter(account_id, { user_id: agent.user_id }));
    expect((await impersonator.get('/v1/users/self')).body.data).toMatchObject({ id: agent.user_id, is_owner: false });
  });

  test('succeeds only once in 32 concurrent requests with the same key', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const { session_id } = (await requestKey(account_id)).body.data;
    const replies = await Promise.all(Array.from({ length: 32 }, () => open(session_id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 200).flatMap(codes))).toEqual(new Set([1152]));
    const { count } = await world.kernel.db.one<{ count: number }>(
      sql`select count(*) from sessions where account_id = ${account_id} and method = 'impersonation'`,
    );
    expect(count).toBe(1);
  });

  test('is rejected with an expired or unknown key', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const { session_id } = (await requestKey(account_id)).body.data;
    clock.advance(61_000);
    for (const key of [session_id, 'x'.repeat(43), 'x']) {
      const reply = await open(key);
      expect([reply.status, reply.body.errors[0].code, reply.body.errors[0].message]).toEqual([
        403,
        1152,
        'Session is no valid anymore',
      ]);
    }
  });

  test('is rejected for operators, blocked users, and blocked, closed, or unknown accounts', async () => {
    const blockedCompany = await makeCompany(world.kernel, { status: 'BLOCKED' });
    const closedCompany = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${closedCompany.account_id}`);
    const company = await makeCompany(world.kernel);
    const person = await makeUser(world.kernel, company.account_id, { status: 'BLOCKED' });
    const colleague = await makeUser(world.kernel, operators.account_id);
    expect(codes(await requestKey(operators.account_id))).toEqual([1159]);
    expect(codes(await requestKey(operators.account_id, { user_id: colleague.user_id }))).toEqual([1159]);
    expect(codes(await requestKey(blockedCompany.account_id))).toEqual([1135]);
    expect(codes(await requestKey(closedCompany.account_id))).toEqual([1145]);
    expect(codes(await requestKey(company.account_id, { user_id: person.user_id }))).toEqual([1135]);
    expect(codes(await requestKey(company.account_id, { user_id: colleague.user_id }))).toEqual([1130]);
    expect(codes(await requestKey(newId()))).toEqual([1102]);
    expect((await api.post('/v1/auth_sessions', { account_id: company.account_id, reason: 'why' })).status).toBe(400);
  });

  test('is rejected once the operator or the account has lost access', async () => {
    const company = await makeCompany(world.kernel);
    const first = (await requestKey(company.account_id)).body.data.session_id;
    await world.kernel.db.run(sql`update accounts set status = 'BLOCKED' where id = ${company.account_id}`);
    expect(codes(await open(first))).toEqual([1152]);
    await world.kernel.db.run(sql`update accounts set status = 'VERIFIED' where id = ${company.account_id}`);
    expect(codes(await open(first)), 'a failed attempt uses up the key').toEqual([1152]);

    const junior = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 5 } });
    const { body } = await world.as(junior.token).post('/v1/auth_sessions', { account_id: company.account_id, reason });
    await world.kernel.db.run(sql`update users set permissions = '{"ACCOUNTS": 1}' where id = ${junior.user_id}`);
    expect(codes(await open(body.data.session_id))).toEqual([1152]);
  });
});

describe('an impersonated session', () => {
  test('ends after 30 minutes, when the operator leaves, or when the operator loses access', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const expiredToken = await enter(account_id);
    clock.advance(29 * 60_000);
    expect((await world.as(expiredToken).get('/v1/users/self')).status).toBe(200);
    clock.advance(2 * 60_000);
    expect((await world.as(expiredToken).get('/v1/users/self')).status).toBe(401);
    api = world.as((await makeUser(world.kernel, operators.account_id, { owner: true })).token);

    const impersonator = world.as(await enter(account_id));
    expect((await impersonator.delete('/v1/auth_sessions/self')).status).toBe(204);
    expect((await impersonator.get('/v1/users/self')).status).toBe(401);
    expect((await log(account_id)).at(-1)).toMatchObject({ action: 'impersonation.ended', detail: { reason } });
    expect((await log(operators.account_id)).at(-1)).toMatchObject({ action: 'impersonation.ended' });

    const junior = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 5 } });
    const key = await world.as(junior.token).post('/v1/auth_sessions', { account_id, reason });
    const token = (await open(key.body.data.session_id)).body.data.access_token;
    await world.kernel.db.run(sql`update users set permissions = '{"ACCOUNTS": 1}' where id = ${junior.user_id}`);
    expect((await world.as(token).get('/v1/users/self')).status).toBe(401);
    await world.kernel.db.run(
      sql`update users set permissions = '{"ACCOUNTS": 5}', blocked = true where id = ${junior.user_id}`,
    );
    expect(codes(await world.as(token).get('/v1/users/self'))).toEqual([1135]);
  });

  test('cannot call personal or operator endpoints', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const impersonator = world.as(await enter(account_id));
    const personal = ENDPOINTS.filter(({ audience }) => audience === 'person');
    expect(personal.length).toBeGreaterThan(10);
    for (const endpoint of personal) {
      const path = endpoint.path.replace(/\{\w+\}/g, newId());
      const init: RequestInit = { method: endpoint.method };
      if (endpoint.body) Object.assign(init, { headers: { 'content-type': 'application/json' }, body: '{"data":{}}' });
      const reply = await impersonator.raw(path, init);
      expect([endpoint.id, reply.status, ...codes(reply)]).toEqual([endpoint.id, 403, 1143]);
    }
    expect(codes(await impersonator.get('/v1/accounts'))).toEqual([1138]);
    expect(codes(await impersonator.post('/v1/auth_sessions', { account_id, reason }))).toEqual([1138]);
  });

  test('cannot be ended by an ordinary session', async () => {
    const { token } = await makeCompany(world.kernel);
    expect(codes(await world.as(token).delete('/v1/auth_sessions/self'))).toEqual([1152]);
    expect((await world.as(token).get('/v1/users/self')).status).toBe(200);
  });
});

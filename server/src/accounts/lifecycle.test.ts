import { type ProblemName, problemCode } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../auth/auth.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { createWorld, PROMPT_MS, type Reply, until, type World } from '../test/world.ts';
import { blockAccount, blockUser, reopenAccount, type Who } from './accounts.ts';
import { eraseClosed } from './erasure.ts';

const PASSWORD = 'Quartz-lantern-42';

let world: World;
let operators: Company;

beforeAll(async () => {
  world = await createWorld();
  operators = await makeCompany(world.kernel, { operator: true });
  await makeCarrier(world.kernel);
});
afterAll(() => world.stop());

const CLOSE = '/v1/accounts/self/closures';
const code = (reply: Reply) => reply.body.errors[0]!.code;
const operator = (): Who => ({
  kernel: world.kernel,
  actor: { account_id: operators.account_id, user_id: operators.user_id },
});
const as = <T>(work: (tx: Tx, who: Who) => Promise<T>) => world.kernel.db.tx((tx) => work(tx, operator()));
const newCompany = async (options: Parameters<typeof makeCompany>[1] = {}) => {
  const company = await makeCompany(world.kernel, options);
  const { company_name } = await world.kernel.db.one<{ company_name: string }>(sql`
    select company_name from accounts where id = ${company.account_id}`);
  return { ...company, company_name, api: world.as(company.token) };
};
const withPassword = async (user_id: string) =>
  world.kernel.db.run(sql`update logins set password_hash = ${await hashPassword(PASSWORD)} where id = ${user_id}`);
const acts = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ action: string }>(sql`
      select action from audit_log where account_id = ${account_id} order by number`)
  ).map((row) => row.action);
const subjects = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ subject: string }>(sql`
      select subject from mails where account_id = ${account_id} order by id`)
  ).map((row) => row.subject);

/** Opens a page's event stream. `ended` becomes true when the server ends the stream. */
async function openPage(token: string) {
  const response = await fetch(`${world.url}/v1/events`, { headers: { authorization: `Bearer ${token}` } });
  const state = { ended: false };
  const reader = response.body!.getReader();
  await reader.read();
  void (async () => {
    while (!(await reader.read()).done);
    state.ended = true;
  })().catch(() => {});
  return state;
}

describe('a blocked account', () => {
  it('rejects users and API keys, ends open event streams, and is restored when unblocked', async () => {
    const company = await newCompany();
    const key = await makeKey(world.kernel, company.account_id);
    const page = await openPage(company.token);
    await as((tx, who) => blockAccount(tx, who, company.account_id, true, 'Complaints'));
    await until('the stream has ended', () => page.ended, PROMPT_MS);
    expect(code(await company.api.get('/v1/users/self'))).toBe(1135);
    expect(code(await world.as({ key }).get('/v1/messages'))).toBe(1135);
    // Blocking again changes nothing.
    await as((tx, who) => blockAccount(tx, who, company.account_id, true, 'Complaints'));
    expect(await subjects(company.account_id)).toEqual(['Your account is blocked']);
    await as((tx, who) => blockAccount(tx, who, company.account_id, false, 'Sorted out'));
    expect((await company.api.get('/v1/accounts/self')).body.data.status).toBe('VERIFIED');
    expect((await world.as({ key }).get('/v1/messages')).status).toBe(200);
    expect(await acts(company.account_id)).toEqual(['account.blocked', 'account.unblocked']);
    expect(await subjects(company.account_id)).toEqual([
      'Your account is blocked',
      'Your account is no longer blocked',
    ]);
    const unverified = await newCompany({ status: 'UNVERIFIED' });
    await as((tx, who) => blockAccount(tx, who, unverified.account_id, true, 'Odd'));
    await as((tx, who) => blockAccount(tx, who, unverified.account_id, false, 'Fine'));
    expect((await unverified.api.get('/v1/accounts/self')).body.data.status).toBe('UNVERIFIED');
  });

  it('cannot be the operators’ account or an unknown account', async () => {
    const refusalCode = async (id: string) =>
      as((tx, who) => blockAccount(tx, who, id, true, 'x')).catch((error: { name: ProblemName }) =>
        problemCode(error.name),
      );
    expect(await refusalCode(operators.account_id)).toBe(1159);
    expect(await refusalCode('0192f0c0-0000-7000-8000-000000000000')).toBe(1102);
  });
});

describe('an operator', () => {
  it('can block and notify any user, including an owner, but not themselves', async () => {
    const company = await newCompany();
    const colleague = await makeUser(world.kernel, company.account_id);
    const page = await openPage(company.token);
    await as((tx, who) => blockUser(tx, who, company.account_id, company.user_id, true, 'Stolen phone'));
    await until('the stream has ended', () => page.ended, PROMPT_MS);
    expect(code(await company.api.get('/v1/users/self'))).toBe(1135);
    expect((await world.as(colleague.token).get('/v1/users/self')).status).toBe(200);
    expect(await subjects(company.account_id)).toEqual(['Your access is blocked']);
    await as((tx, who) => blockUser(tx, who, company.account_id, company.user_id, false, 'New phone'));
    expect((await company.api.get('/v1/users/self')).status).toBe(401);
    expect(await acts(company.account_id)).toEqual(['user.blocked', 'user.unblocked']);
    const refusalCode = async (account_id: string, user_id: string) =>
      as((tx, who) => blockUser(tx, who, account_id, user_id, true, 'x')).catch((error: { name: ProblemName }) =>
        problemCode(error.name),
      );
    expect(await refusalCode(operators.account_id, operators.user_id)).toBe(1160);
    expect(await refusalCode(company.account_id, operators.account_id)).toBe(1130);
  });
});

describe('closing an account', () => {
  it('requires the owner, the account name, and the password', async () => {
    const company = await newCompany();
    await withPassword(company.user_id);
    const admin = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 15 } });
    const closing = { company_name: company.company_name, current_password: PASSWORD };
    expect(code(await world.as(admin.token).post(CLOSE, closing))).toBe(1136);
    expect(code(await company.api.post(CLOSE, { ...closing, company_name: 'Other' }))).toBe(1165);
    expect(code(await company.api.post(CLOSE, { company_name: company.company_name }))).toBe(1126);
    expect(code(await company.api.post(CLOSE, { ...closing, current_password: 'Wrong-one-5' }))).toBe(1126);
    expect((await company.api.get('/v1/accounts/self')).status).toBe(200);
    expect(code(await world.as(operators.token).post(CLOSE, { company_name: 'x' }))).toBe(1136);
  });

  it('ends sessions and API keys, is reported at sign-in, and can be undone by operators', async () => {
    const company = await newCompany();
    await withPassword(company.user_id);
    const colleague = await makeUser(world.kernel, company.account_id);
    const key = await makeKey(world.kernel, company.account_id);
    await company.api.post('/v1/accounts/self/invitations', { email: 'late@life.localhost', permissions: {} });
    const page = await openPage(colleague.token);
    const closing = { company_name: `  ${company.company_name.toUpperCase()} `, current_password: PASSWORD };
    expect((await company.api.post(CLOSE, closing)).status).toBe(204);
    await until('the stream has ended', () => page.ended, PROMPT_MS);
    for (const who of [company.token, colleague.token, { key }])
      expect((await world.as(who).get('/v1/accounts/self')).status).toBe(401);
    const { email } = await world.kernel.db.one<{ email: string }>(
      sql`select email from logins where id = ${company.user_id}`,
    );
    const basic = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`;
    const signIn = () => world.as().raw('/v1/users/self/token', { headers: { authorization: basic } });
    expect(code(await signIn())).toBe(1145);
    expect(await acts(company.account_id)).toContain('account.closed');
    expect(await subjects(company.account_id)).toContain('Your account is closed');
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

    await as((tx, who) => reopenAccount(tx, who, company.account_id));
    const session = await signIn();
    expect(session.status).toBe(200);
    expect((await world.as(session.body.data.access_token).get('/v1/accounts/self')).body.data.status).toBe('VERIFIED');
    expect((await world.as({ key }).get('/v1/accounts/self')).status).toBe(401);
    expect((await acts(company.account_id)).at(-2)).toBe('account.reopened');
  });

  it('is rejected while messages are in progress', async () => {
    const company = await newCompany({ balance_micros: 10_000_000 });
    await world.kernel.db.run(sql`update logins set password_hash = null where id = ${company.user_id}`);
    const { code: from } = await makeSender(world.kernel, company.account_id);
    const { body } = await company.api.post('/v1/messages', {
      from,
      to: ['447400000001'],
      channel: 'SMS',
      text: 'Later',
      schedule: '2099-01-01 10:00:00',
    });
    const refusal = await company.api.post(CLOSE, { company_name: company.company_name });
    expect([code(refusal), refusal.body.errors[0].message]).toEqual([
      1163,
      'Still open: 1 message. Cancel or close them, or wait until they are finished.',
    ]);
    expect((await company.api.delete(`/v1/messages/${body.data[0].id}`)).status).toBeLessThan(300);
    // An owner who has no password does not have to enter one.
    expect((await company.api.post(CLOSE, { company_name: company.company_name })).status).toBe(204);
  });

  it('is rejected while the account has sub-accounts', async () => {
    const company = await newCompany();
    await world.kernel.db.run(sql`update logins set password_hash = null where id = ${company.user_id}`);
    const created = await company.api.post('/v1/accounts/self/subaccounts', {
      company_name: 'Branch',
      country_code: 'GB',
      timezone: 'UTC',
      email: 'branch@life.localhost',
      first_name: 'B',
      last_name: 'R',
    });
    const close = () => company.api.post(CLOSE, { company_name: company.company_name });
    expect((await close()).body.errors[0].message).toContain('1 sub-account');
    await company.api.delete(`/v1/accounts/self/subaccounts/${created.body.data.id}`);
    expect((await close()).status).toBe(204);
  });

  it('is possible while a setup step is pending and after the trial ends', async () => {
    const company = await newCompany({ status: 'UNVERIFIED' });
    await world.kernel.db.run(sql`
      update accounts set tags = '{PAID0}', create_date = now() - interval '40 days', second_factor_required = true
      where id = ${company.account_id}`);
    await world.kernel.db.run(sql`
      update logins set password_hash = null, status = 'EMAIL_VERIFIED' where id = ${company.user_id}`);
    expect(code(await company.api.get('/v1/audiences'))).toBe(1141);
    expect((await company.api.post(CLOSE, { company_name: company.company_name })).status).toBe(204);
  });

  it('erases the account after 30 days, except for records kept as evidence', async () => {
    const { db } = world.kernel;
    const company = await newCompany({ balance_micros: 5_000_000 });
    await db.run(sql`
      update logins set password_hash = null, phone_number = '447400000077' where id = ${company.user_id}`);
    const elsewhere = await newCompany();
    const sharedUser = await makeUser(world.kernel, company.account_id, { first_name: 'Both' });
    await db.run(sql`
      insert into users (account_id, id, login_id, email, first_name, last_name)
      select ${elsewhere.account_id}, gen_random_uuid(), login_id, email, first_name, last_name from users
      where id = ${sharedUser.user_id}`);
    const audience = await makeAudience(world.kernel, company.account_id, [
      { number: '447400000005', first_name: 'Ann' },
    ]);
    await company.api.put('/v1/accounts/self', {
      company_address: '1 Street',
      invoice_emails: ['bills@life.localhost'],
    });
    await company.api.post(CLOSE, { company_name: company.company_name });
    const signal = new AbortController().signal;
    await eraseClosed(world.kernel, signal);
    expect(await db.maybeOne(sql`select 1 from logins where id = ${company.user_id}`)).not.toBeNull();
    await db.run(sql`update accounts set close_date = now() - interval '31 days' where id = ${company.account_id}`);
    await Promise.all([eraseClosed(world.kernel, signal), eraseClosed(world.kernel, signal)]);
    await until('the contacts are deleted', async () => {
      const { count } = await db.one<{ count: number }>(sql`
        select count(*) from contacts where account_id = ${company.account_id}`);
      return count === 0;
    });
    const remaining = await db.rows<{ text: string }>(sql`
      select to_jsonb(a)::text as text from accounts a where id = ${company.account_id}
      union all select to_jsonb(u)::text from users u where account_id = ${company.account_id}
      union all select to_jsonb(m)::text from mails m where account_id = ${company.account_id}
      union all select to_jsonb(l)::text from logins l where id = ${company.user_id}`);
    for (const { text } of remaining)
      expect(text).not.toMatch(/@|447400000077|1 Street|Both|Test Person|bills|Company [0-9a-f]{6}/);
    expect(await db.maybeOne(sql`select 1 from logins where id = ${sharedUser.user_id}`)).not.toBeNull();
    expect(await db.one(sql`select contacts_count from audiences where id = ${audience}`)).toEqual({
      contacts_count: 0,
    });
    expect(await db.one(sql`select count(*) from ledger where account_id = ${company.account_id}`)).toEqual({
      count: 1,
    });
    expect((await acts(company.account_id)).filter((act) => act === 'account.erased')).toHaveLength(1);
    await expect(as((tx, who) => reopenAccount(tx, who, company.account_id))).rejects.toMatchObject({
      name: 'ACCOUNT_NOT_FOUND',
    });
  });

  it('all invariants hold after these tests', async () => {
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { codeIn, mailsTo, mailTo } from '../../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { hashPassword } from '../passwords/passwords.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;
let email: string;
let hash: string;

const PASSWORD = 'Tangled-teapot-7';
const MINUTE = 60_000;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

beforeAll(async () => {
  world = await createWorld({ clock });
  hash = await hashPassword(PASSWORD);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  email = `owner-${company.user_id}@sessions.localhost`;
  await world.kernel.db.run(sql`
    with l as (update logins set email = ${email}, password_hash = ${hash} where id = ${company.user_id})
    update users set email = ${email} where id = ${company.user_id}`);
});

const codes = (reply: Reply): unknown[] => [reply.status, reply.body?.errors?.[0].code];
const signIn = async (agent = CHROME, password = PASSWORD, who = email) =>
  world.as().raw('/v1/users/self/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`,
      'user-agent': agent,
    },
  });
const openToken = async (agent = CHROME): Promise<string> => (await signIn(agent)).body.data.access_token;
const isOpen = async (token: string) => (await world.as(token).get('/v1/users/self')).status === 200;
const acts = async (account_id = company.account_id) =>
  (
    await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${account_id} order by number`,
    )
  ).map(({ action }) => action);

describe('a new email address', () => {
  const requestChange = (newEmail: string, current_password: string | undefined = PASSWORD) =>
    world.as(company.token).post('/v1/users/self/email_changes', { email: newEmail, current_password });
  const give = (id: string, code: string, token = company.token) =>
    world.as(token).put(`/v1/users/self/email_changes/${id}`, { code });

  it('takes effect in every company once it is confirmed, and the old mailbox is notified', async () => {
    const second = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`
      update users set login_id = ${company.user_id}, email = ${email} where id = ${second.user_id}`);
    const newEmail = `New.${company.user_id}@sessions.localhost`;
    const { body, status } = await requestChange(newEmail);
    expect(status).toBe(201);
    const code = codeIn(await mailTo(world.kernel, newEmail.toLowerCase()));
    expect((await signIn()).status).toBe(200);
    const all = await Promise.all(Array.from({ length: 32 }, () => give(body.data.id, code)));
    expect(all.filter((reply) => reply.status === 204).length).toBe(1);
    expect(codes(await signIn())).toEqual([401, 1120]);
    expect((await signIn(CHROME, PASSWORD, newEmail)).status).toBe(200);
    const rows = await world.kernel.db.rows<{ email: string }>(
      sql`select email from users where login_id = ${company.user_id}`,
    );
    expect(rows).toEqual([{ email: newEmail.toLowerCase() }, { email: newEmail.toLowerCase() }]);
    const mails = await mailsTo(world.kernel, email);
    expect(mails.at(-1)!.subject).toBe('Your email address was changed');
    expect(mails.at(-1)!.text).not.toContain(newEmail.toLowerCase());
    for (const account of [company, second]) expect(await acts(account.account_id)).toContain('email.changed');
  });

  it('does not reveal whether another user already has it', async () => {
    const other = await makeCompany(world.kernel);
    const takenEmail = `${other.user_id}@test.localhost`;
    const free = await requestChange(`free-${newId()}@sessions.localhost`);
    const { status, body } = await requestChange(takenEmail);
    expect([status, Object.keys(body.data)]).toEqual([free.status, Object.keys(free.body.data)]);
    await mailTo(world.kernel, (await selectTarget(free.body.data.id)) ?? '');
    expect(await mailsTo(world.kernel, takenEmail)).toEqual([]);
    expect(codes(await give(body.data.id, '000000'))).toEqual([400, 1125]);
    expect(codes(await requestChange(`more-${newId()}@sessions.localhost`, 'Wrong-teapot-7'))).toEqual([400, 1126]);
    expect(codes(await give(body.data.id, '000000', other.token))).toEqual([404, 1110]);
  });

  const selectTarget = async (id: string) =>
    (await world.kernel.db.maybeOne<{ target: string }>(sql`select target from verifications where id = ${id}`))
      ?.target;
});

describe('a person’s companies', () => {
  it('are listed and open in separate sessions, and sign-in opens the last one used', async () => {
    const second = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`update users set login_id = ${company.user_id} where id = ${second.user_id}`);
    const me = world.as(company.token);
    const list = (await me.get('/v1/users/self/accounts')).body.data;
    expect(list.map((item: { account_id: string }) => item.account_id).sort()).toEqual(
      [company.account_id, second.account_id].sort(),
    );
    const reply = await me.get(`/v1/users/${second.user_id}/token`);
    expect(reply.status).toBe(200);
    const entered_api = world.as(reply.body.data.access_token);
    expect((await entered_api.get('/v1/users/self')).body.data).toMatchObject({
      account_id: second.account_id,
      impersonation: null,
    });
    expect(await isOpen(company.token)).toBe(true);
    clock.advance(MINUTE);
    const again = world.as(await openToken());
    expect((await again.get('/v1/users/self')).body.data.account_id).toBe(second.account_id);
    // The list includes the session in the other company, which belongs to the same person.
    expect((await me.get('/v1/users/self/sessions')).body.data.length).toBeGreaterThanOrEqual(3);
  });

  it('cannot be opened by a person who is blocked, lacks a required factor, or is not a user there', async () => {
    const { db } = world.kernel;
    const second = await makeCompany(world.kernel);
    const me = world.as(company.token);
    expect(codes(await me.get(`/v1/users/${second.user_id}/token`))).toEqual([404, 1130]);
    await db.run(sql`update users set login_id = ${company.user_id} where id = ${second.user_id}`);
    await db.run(sql`update accounts set second_factor_required = true where id = ${second.account_id}`);
    expect(codes(await me.get(`/v1/users/${second.user_id}/token`))).toEqual([403, 1144]);
    await db.run(sql`update users set blocked = true where id = ${second.user_id}`);
    expect(codes(await me.get(`/v1/users/${second.user_id}/token`))).toEqual([403, 1135]);
    expect(codes(await me.get(`/v1/users/${newId()}/token`))).toEqual([404, 1130]);
  });

  it('include sub-accounts, which are entered with the caller’s permissions until they are revoked', async () => {
    const { db } = world.kernel;
    const subAccount = await makeCompany(world.kernel);
    await db.run(
      sql`update accounts set parent_id = ${company.account_id}, account_type = 'SUB_ACCOUNT'
      where id = ${subAccount.account_id}`,
    );
    const helper = await makeUser(world.kernel, company.account_id, {
      permissions: { ACCOUNTS: 5, AUDIENCES: 1, KEYS: 0 },
    });
    const plain = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 1 } });
    expect(codes(await world.as(plain.token).get(`/v1/users/${subAccount.user_id}/token`))).toEqual([403, 1136]);
    expect((await world.as(plain.token).get('/v1/users/self/accounts')).body.data.length).toBe(1);
    const stranger = await makeCompany(world.kernel);
    expect(codes(await world.as(stranger.token).get(`/v1/users/${subAccount.user_id}/token`))).toEqual([404, 1130]);
    const list = (await world.as(helper.token).get('/v1/users/self/accounts')).body.data;
    expect(list.map((item: { relation: string }) => item.relation)).toEqual(['member', 'sub_account']);
    const reply = await world.as(helper.token).get(`/v1/users/${subAccount.user_id}/token`);
    const entered_api = world.as(reply.body.data.access_token);
    const self = (await entered_api.get('/v1/users/self')).body.data;
    expect(self).toMatchObject({ account_id: subAccount.account_id, impersonation: { kind: 'parent' } });
    expect(self.permissions).toMatchObject({ ACCOUNTS: 5, AUDIENCES: 1, KEYS: 0, MESSAGES: 0 });
    expect((await entered_api.get('/v1/audiences')).status).toBe(200);
    expect(codes(await entered_api.post('/v1/audiences', { name: 'x', channel: 'SMS' }))).toEqual([403, 1136]);
    // The owner's personal settings cannot be read or changed.
    expect(codes(await entered_api.get('/v1/users/self/sessions'))).toEqual([403, 1143]);
    expect(await acts(subAccount.account_id)).toEqual(['sub_account.entered']);
    const [entry] = await db.rows(sql`
      select user_id, real_user_id from audit_log where account_id = ${subAccount.account_id}`);
    expect(entry).toEqual({ user_id: subAccount.user_id, real_user_id: helper.user_id });
    // The session is rejected without the permission and works again once the permission is restored.
    const setPermissions = (bits: object) =>
      db.run(sql`
      update users set permissions = ${JSON.stringify(bits)}::jsonb where id = ${helper.user_id}`);
    await setPermissions({ ACCOUNTS: 1, AUDIENCES: 1 });
    expect(codes(await entered_api.get('/v1/users/self'))).toEqual([401, 1101]);
    expect(codes(await entered_api.get('/v1/audiences'))).toEqual([401, 1101]);
    await setPermissions({ ACCOUNTS: 5, AUDIENCES: 1 });
    expect((await entered_api.get('/v1/audiences')).status).toBe(200);
    await db.run(sql`update users set blocked = true where id = ${helper.user_id}`);
    expect(codes(await entered_api.get('/v1/users/self'))).toEqual([403, 1135]);
    await db.run(sql`update users set blocked = false where id = ${helper.user_id}`);
    // The session ends together with the session it was opened from.
    const other = world.as(
      (await world.as(helper.token).get(`/v1/users/${subAccount.user_id}/token`)).body.data.access_token,
    );
    expect((await other.get('/v1/users/self')).status).toBe(200);
    await world.as(helper.token).delete('/v1/users/self/token');
    expect([codes(await entered_api.get('/v1/users/self')), codes(await other.get('/v1/users/self'))]).toEqual([
      [401, 1101],
      [401, 1101],
    ]);
  });
});

describe('personal data', () => {
  it('is exported to a file without secrets, and the export is logged', async () => {
    const token = await openToken();
    const reply = await world.as(token).get('/v1/users/self/personal_data');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="personal-data-[\d-]+\.json"$/);
    expect(Object.keys(reply.body)).toEqual([
      'person',
      'companies',
      'sessions',
      'passkeys',
      'sign_in_providers',
      'codes_sent',
      'invitations',
      'acts',
      'messages_written',
    ]);
    expect(reply.body.person.email).toBe(email);
    expect(reply.body.companies.length).toBe(1);
    expect(reply.text).not.toMatch(/hash|argon2|totp_secret/);
    expect((await acts()).at(-1)).toBe('user.personal_data_exported');
  });

  it('can be corrected, and invalid names are rejected', async () => {
    const me = world.as(company.token);
    const reply = await me.put('/v1/users/self', { first_name: 'Zoë 🦊', last_name: 'Lund', position: 'CFO' });
    expect(reply.status).toBe(204);
    expect((await me.get('/v1/users/self')).body.data).toMatchObject({ full_name: 'Zoë 🦊 Lund', position: 'CFO' });
    expect(codes(await me.put('/v1/users/self', { first_name: ' ', last_name: 'L' }))).toEqual([400, 1111]);
    expect(codes(await me.put('/v1/users/self', { first_name: 'a\0', last_name: 'L' }))).toEqual([400, 1705]);
  });
});

it('a person stores which news they have seen, in all of their companies', async () => {
  const second = await makeCompany(world.kernel);
  const token = await openToken();
  const { login_id, news_seen } = (await world.as(token).get('/v1/users/self')).body.data;
  expect(news_seen).toBeNull();
  await world.kernel.db.run(sql`update users set login_id = ${login_id} where id = ${second.user_id}`);
  const see = (news_id: unknown) => world.as(token).put('/v1/users/self/news', { news_id });
  expect((await see('9f86d081884c')).status).toBe(204);
  expect((await see('9f86d081884c')).status).toBe(204);
  for (const wrong of ['', '9F86D081884C', '9f86d081884c\u0000', '🎁', null, 7])
    expect((await see(wrong)).status).toBe(400);
  const rows = await world.kernel.db.rows(sql`select news_seen from users where login_id = ${login_id}`);
  expect(rows).toEqual([{ news_seen: '9f86d081884c' }, { news_seen: '9f86d081884c' }]);
});

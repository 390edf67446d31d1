import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../auth/auth.ts';
import { findHomeUrl } from '../auth/people/mails.ts';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

const PASSWORD = 'Quartz-lantern-42';

let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const field = (reply: Reply) => reply.body.errors[0]!.field;
const lastMail = async (recipient: string) => (await mailsTo(world.kernel, recipient)).at(-1)!;
const tokenFor = async (recipient: string) => /token=([\w-]{43})/.exec((await lastMail(recipient)).text)![1]!;
const accept = (token: string, body: object = {}, who?: string) =>
  world.as(who).post('/v1/users/self/invitations', { token, ...body });
const invite = (email: string, fields: object = {}) =>
  owner.post('/v1/accounts/self/invitations', { email, permissions: { MESSAGES: 3 }, ...fields });
const acts = async () =>
  (
    await world.kernel.db.rows<{ action: string }>(sql`
      select action from audit_log where account_id = ${company.account_id} order by number`)
  ).map((row) => row.action);
/** Moves the send date of an invitation into the past. */
const age = (id: string, interval: string) =>
  world.kernel.db.run(sql`
    update invitations set send_date = send_date - ${interval}::interval,
      expire_date = expire_date - ${interval}::interval
    where account_id = ${company.account_id} and id = ${id}`);
/** Creates a user with a password in another company. */
async function makeOutsider(email: string) {
  const other = await makeCompany(world.kernel);
  const user = await makeUser(world.kernel, other.account_id, { first_name: 'Known' });
  await world.kernel.db.run(sql`
    update logins set email = ${email}, password_hash = ${await hashPassword(PASSWORD)} where id = ${user.user_id}`);
  await world.kernel.db.run(sql`update users set email = ${email} where id = ${user.user_id}`);
  return user;
}

describe('an invitation', () => {
  it('adds a new person with the offered permissions, confirms their address, and notifies the inviter', async () => {
    const invited = await invite('eve@inv.localhost', { position: 'Agent' });
    expect(invited.status).toBe(201);
    expect(invited.body.data).toMatchObject({
      email: 'eve@inv.localhost',
      status: 'PENDING',
      invited_by_name: 'Test Person',
      sends: 1,
      permissions: { MESSAGES: 3 },
    });
    const token = await tokenFor('eve@inv.localhost');
    expect(JSON.stringify(invited.body)).not.toContain(token);
    const preview = await world.as().get(`/v1/users/self/invitations/${token}`);
    expect(preview.body.data).toMatchObject({
      email: 'eve@inv.localhost',
      invited_by_name: 'Test Person',
      existing: false,
    });
    expect(code(await accept(token, { password: PASSWORD }))).toBe(1111);
    expect(code(await accept(token, { first_name: 'Eve', password: PASSWORD }))).toBe(1112);
    const named = { first_name: 'Eve', last_name: 'Stone' };
    expect(code(await accept(token, named))).toBe(1105);
    expect(code(await accept(token, { ...named, password: 'short' }))).toBe(1114);
    expect(code(await accept(token, { ...named, password: 'Password1' }))).toBe(1115);
    const reply = await accept(token, { ...named, password: PASSWORD });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ next: null, email: 'eve@inv.localhost' });
    const newUser = world.as(reply.body.data.access_token);
    expect((await newUser.get('/v1/users/self')).body.data).toMatchObject({
      account_id: company.account_id,
      full_name: 'Eve Stone',
      status: 'EMAIL_VERIFIED',
      permissions: { MESSAGES: 3 },
      position: 'Agent',
      is_owner: false,
      pending: null,
    });
    expect(code(await accept(token, { ...named, password: PASSWORD }))).toBe(1132);
    expect(code(await world.as().get(`/v1/users/self/invitations/${token}`))).toBe(1132);
    const listed = await owner.get('/v1/accounts/self/invitations?filter[statuses]=ACCEPTED');
    expect(listed.body.data.map((row: { id: string }) => row.id)).toEqual([invited.body.data.id]);
    const inviter = (await owner.get('/v1/users/self')).body.data.email;
    expect((await lastMail(inviter)).subject).toMatch(/^Eve Stone joined Company /);
    expect(await acts()).toEqual(
      expect.arrayContaining(['invitation.created', 'invitation.accepted', 'session.signed_in']),
    );
  });

  it.each([
    ['deleted', (id: string) => owner.delete(`/v1/users/self/subusers/${id}`)],
    ['blocked', (id: string) => owner.put(`/v1/users/${id}`, { blocked: true })],
    [
      'stripped of the offered permissions',
      (id: string) => owner.put(`/v1/users/${id}`, { permissions: { USERS: 7 } }),
    ],
    [
      'blocked by an operator',
      async (id: string) => {
        const operators = await makeCompany(world.kernel, { operator: true });
        const body = { blocked: true, reason: 'Fraud' };
        return world.as(operators.token).put(`/v1/accounts/${company.account_id}/users/${id}/block`, body);
      },
    ],
  ] as const)('becomes invalid when its sender is %s, until a user with permission resends it', async (name, act) => {
    const lead = await makeUser(world.kernel, company.account_id, { permissions: { USERS: 7, AUDIENCES: 15 } });
    const clerk = await makeUser(world.kernel, company.account_id, { permissions: { USERS: 7 } });
    const email = `${name.replaceAll(' ', '-')}@inv.localhost`;
    const person = { email, first_name: 'Second', last_name: 'Address', permissions: { USERS: 7, AUDIENCES: 15 } };
    const invited = await world.as(lead.token).post('/v1/accounts/self/invitations', person);
    const created = { ...person, email: `created-${email}`, position: '' };
    expect((await world.as(lead.token).post('/v1/accounts/self/subusers', created)).status).toBe(201);
    const [link, other] = [await tokenFor(email), await tokenFor(created.email)];
    expect((await act(lead.user_id)).status).toBeLessThan(300);
    for (const token of [link, other]) {
      expect(code(await accept(token, { password: PASSWORD }))).toBe(1132);
      expect(code(await world.as().get(`/v1/users/self/invitations/${token}`))).toBe(1132);
    }
    const { id } = invited.body.data;
    await age(id, '2 minutes');
    const again = `/v1/accounts/self/invitations/${id}/sends`;
    expect(code(await world.as(clerk.token).post(again, {}))).toBe(1158);
    expect((await owner.post(again, {})).body.data).toMatchObject({
      status: 'PENDING',
      invited_by_name: 'Test Person',
    });
    expect((await accept(await tokenFor(email), { password: PASSWORD })).status).toBe(200);
  });

  it('is accepted only while its sender is active and has the offered permissions', async () => {
    const lead = await makeUser(world.kernel, company.account_id, { permissions: { USERS: 7, AUDIENCES: 15 } });
    const email = 'late@inv.localhost';
    const person = { email, first_name: 'Late', last_name: 'Comer', permissions: { AUDIENCES: 15 } };
    await world.as(lead.token).post('/v1/accounts/self/invitations', person);
    const token = await tokenFor(email);
    const may = (permissions: object, isBlocked = false) =>
      world.kernel.db.run(sql`
        update users set permissions = ${JSON.stringify(permissions)}::jsonb, blocked = ${isBlocked}
        where account_id = ${company.account_id} and id = ${lead.user_id}`);
    await may({ USERS: 7, AUDIENCES: 7 });
    expect(code(await accept(token, { password: PASSWORD }))).toBe(1132);
    await may({ AUDIENCES: 15 }, true);
    expect(code(await accept(token, { password: PASSWORD }))).toBe(1132);
    await may({ AUDIENCES: 15 });
    expect((await accept(token, { password: PASSWORD })).status).toBe(200);
  });

  it('is accepted by only one of 32 concurrent requests', async () => {
    await invite('race@inv.localhost', { first_name: 'Rae', last_name: 'Swift' });
    const token = await tokenFor('race@inv.localhost');
    const replies = await Promise.all(Array.from({ length: 32 }, () => accept(token, { password: PASSWORD })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refusals = replies.filter(({ status }) => status !== 200).map(code);
    expect(refusals.every((error_code) => [1105, 1120, 1132, 1134].includes(error_code))).toBe(true);
    const { count } = await world.kernel.db.one<{ count: number }>(sql`
      select count(*) from users where account_id = ${company.account_id} and email = 'race@inv.localhost'`);
    expect(count).toBe(1);
  });

  it('is accepted by an existing user with their password', async () => {
    const user = await makeOutsider('kim@inv.localhost');
    await invite('Kim@inv.localhost');
    const token = await tokenFor('Kim@inv.localhost');
    expect((await world.as().get(`/v1/users/self/invitations/${token}`)).body.data.existing).toBe(true);
    expect(code(await accept(token))).toBe(1105);
    expect(code(await accept(token, { password: 'Not-the-one-9' }))).toBe(1120);
    const reply = await accept(token, { password: PASSWORD });
    expect(reply.status).toBe(200);
    const self = (await world.as(reply.body.data.access_token).get('/v1/users/self')).body.data;
    expect(self).toMatchObject({ account_id: company.account_id, first_name: 'Known', login_id: user.user_id });
    // Their own company is unchanged.
    expect((await world.as(user.token).get('/v1/users/self')).status).toBe(200);
    expect(code(await invite('kim@inv.localhost'))).toBe(1134);
  });

  it('is accepted with a session only when it belongs to the invited person', async () => {
    const user = await makeOutsider('lou@inv.localhost');
    const other = await makeCompany(world.kernel);
    await invite('lou@inv.localhost');
    const token = await tokenFor('lou@inv.localhost');
    expect(code(await accept(token, {}, other.token))).toBe(1105);
    const reply = await accept(token, {}, user.token);
    expect(reply.status).toBe(200);
    expect((await world.as(reply.body.data.access_token).get('/v1/accounts/self')).body.data.id).toBe(
      company.account_id,
    );
  });

  it('requires the second factor when the invited person has one', async () => {
    const user = await makeOutsider('mo@inv.localhost');
    await world.kernel.db.run(sql`
      update logins set totp_secret = 'x', totp_date = now() where id = ${user.user_id}`);
    await invite('mo@inv.localhost');
    const reply = await accept(await tokenFor('mo@inv.localhost'), { password: PASSWORD });
    expect(reply.body.data).toMatchObject({ access_token: null, next: 'login_verification' });
    expect(reply.body.data.methods).toContain('totp');
    const { body } = await owner.get('/v1/users?filter[search]=mo@inv');
    expect(body.data[0]).toMatchObject({ second_factor: true, status: 'PHONE_VERIFIED' });
  });

  it('replaces the credentials and sessions of an unconfirmed login', async () => {
    const stranger = await makeCompany(world.kernel);
    const forged = await makeUser(world.kernel, stranger.account_id, { status: 'NEW' });
    await world.kernel.db.run(sql`
      update logins set email = 'vic@inv.localhost', password_hash = ${await hashPassword('Attackers-own-7')}
      where id = ${forged.user_id}`);
    await invite('vic@inv.localhost', { first_name: 'Vic', last_name: 'Hale' });
    const token = await tokenFor('vic@inv.localhost');
    expect((await world.as().get(`/v1/users/self/invitations/${token}`)).body.data.existing).toBe(false);
    expect((await accept(token, { password: PASSWORD })).status).toBe(200);
    // The credentials of the unconfirmed login no longer work.
    expect((await world.as(forged.token).get('/v1/users/self')).status).toBe(401);
    const basic = (secret: string) => `Basic ${Buffer.from(`vic@inv.localhost:${secret}`).toString('base64')}`;
    const signIn = (secret: string) =>
      world.as().raw('/v1/users/self/token', { headers: { authorization: basic(secret) } });
    expect((await signIn('Attackers-own-7')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('is resent with a new link after a pause, and the old link stops working', async () => {
    const { id } = (await invite('pat@inv.localhost', { first_name: 'Pat', last_name: 'Lee' })).body.data;
    const first = await tokenFor('pat@inv.localhost');
    const path = `/v1/accounts/self/invitations/${id}/sends`;
    const reply = await owner.post(path, {});
    expect([reply.status, code(reply)]).toEqual([429, 1146]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    await age(id, '61 seconds');
    expect((await owner.post(path, {})).body.data).toMatchObject({ id, sends: 2, status: 'PENDING' });
    const second = await tokenFor('pat@inv.localhost');
    expect(second).not.toBe(first);
    expect(code(await accept(first, { password: PASSWORD }))).toBe(1131);
    expect(code(await world.as().get(`/v1/users/self/invitations/${first}`))).toBe(1131);
    // Inviting the same address again reuses the invitation, with the new permissions.
    await age(id, '61 seconds');
    const renewal = await invite('PAT@inv.localhost', { position: 'Lead', permissions: { KEYS: 1 } });
    expect(renewal.body.data).toMatchObject({ id, sends: 3, position: 'Lead', permissions: { KEYS: 1 } });
    expect(await acts()).toContain('invitation.sent_again');
  });

  it('expires after seven days and can then be resent', async () => {
    const { id } = (await invite('sam@inv.localhost', { first_name: 'Sam', last_name: 'Roe' })).body.data;
    const token = await tokenFor('sam@inv.localhost');
    await age(id, '7 days 1 second');
    expect(code(await accept(token, { password: PASSWORD }))).toBe(1132);
    const { body } = await owner.get('/v1/accounts/self/invitations?filter[statuses]=EXPIRED&filter[search]=sam@');
    expect(body.data).toEqual([expect.objectContaining({ id, status: 'EXPIRED' })]);
    expect((await owner.post(`/v1/accounts/self/invitations/${id}/sends`, {})).body.data.status).toBe('PENDING');
    expect((await accept(await tokenFor('sam@inv.localhost'), { password: PASSWORD })).status).toBe(200);
  });

  it('cannot be accepted once it is revoked', async () => {
    const { id } = (await invite('tom@inv.localhost')).body.data;
    const token = await tokenFor('tom@inv.localhost');
    expect((await owner.delete(`/v1/accounts/self/invitations/${id}`)).status).toBe(204);
    expect(code(await accept(token, { first_name: 'T', last_name: 'O', password: PASSWORD }))).toBe(1132);
    expect(code(await owner.delete(`/v1/accounts/self/invitations/${id}`))).toBe(1132);
    expect(code(await owner.post(`/v1/accounts/self/invitations/${id}/sends`, {}))).toBe(1132);
    const stranger = await makeCompany(world.kernel);
    expect(code(await world.as(stranger.token).delete(`/v1/accounts/self/invitations/${id}`))).toBe(1131);
  });

  it('is listed for its recipient, without the link, while it is open', async () => {
    const nia = await makeOutsider('nia@inv.localhost');
    const listOwn = () => world.as(nia.token).get('/v1/users/self/invitations');
    expect((await listOwn()).body.data).toEqual([]);
    const { id } = (await invite('Nia@inv.localhost', { position: 'Agent' })).body.data;
    await invite('somebody.else@inv.localhost');
    const { body, text } = await listOwn();
    const { company_name } = (await owner.get('/v1/accounts/self')).body.data;
    expect(body.data).toEqual([
      {
        id,
        company_name,
        invited_by_name: 'Test Person',
        position: 'Agent',
        send_date: expect.any(String),
        expire_date: expect.any(String),
      },
    ]);
    expect(text).not.toContain(await tokenFor('Nia@inv.localhost'));
    await age(id, '8 days');
    expect((await listOwn()).body.data).toEqual([]);
    await age(id, '-8 days');
    expect((await listOwn()).body.data).toHaveLength(1);
    expect((await accept(await tokenFor('Nia@inv.localhost'), {}, nia.token)).status).toBe(200);
    expect((await listOwn()).body.data).toEqual([]);
    const revoked = (await invite('nia2@inv.localhost')).body.data.id;
    const other = await makeOutsider('nia2@inv.localhost');
    await owner.delete(`/v1/accounts/self/invitations/${revoked}`);
    expect((await world.as(other.token).get('/v1/users/self/invitations')).body.data).toEqual([]);
  });

  it('activates a created user with their current permissions, or removes them when it is revoked', async () => {
    const person = { first_name: 'Uma', last_name: 'Vale', position: '', permissions: { MESSAGES: 1 } };
    const uma = (await owner.post('/v1/accounts/self/subusers', { ...person, email: 'uma@inv.localhost' })).body.data;
    await owner.put(`/v1/users/${uma.id}`, { permissions: { TEMPLATES: 1 } });
    const reply = await accept(await tokenFor('uma@inv.localhost'), { password: PASSWORD });
    const self = (await world.as(reply.body.data.access_token).get('/v1/users/self')).body.data;
    expect(self).toMatchObject({ id: uma.id, full_name: 'Uma Vale', permissions: { TEMPLATES: 1 } });

    const una = (await owner.post('/v1/accounts/self/subusers', { ...person, email: 'una@inv.localhost' })).body.data;
    const { body } = await owner.get('/v1/accounts/self/invitations?filter[search]=una@');
    await owner.delete(`/v1/accounts/self/invitations/${body.data[0].id}`);
    expect((await owner.get(`/v1/users/${una.id}`)).status).toBe(404);
    expect((await invite('una@inv.localhost')).status).toBe(201);
  });

  it('cannot be accepted while the company is blocked', async () => {
    await invite('wes@inv.localhost', { first_name: 'Wes', last_name: 'Orr' });
    const token = await tokenFor('wes@inv.localhost');
    const set = (status: string) =>
      world.kernel.db.run(sql`update accounts set status = ${status} where id = ${company.account_id}`);
    await set('BLOCKED');
    expect(code(await accept(token, { password: PASSWORD }))).toBe(1132);
    await set('VERIFIED');
    expect((await accept(token, { password: PASSWORD })).status).toBe(200);
  });

  it('requires a verified company and counts toward an hourly limit', async () => {
    const unknown = world.as((await makeCompany(world.kernel, { status: 'UNVERIFIED' })).token);
    const person = { email: 'n@inv.localhost', first_name: 'N', last_name: 'N', position: '', permissions: {} };
    expect(code(await unknown.post('/v1/accounts/self/invitations', person))).toBe(1524);
    expect(code(await unknown.post('/v1/accounts/self/subusers', person))).toBe(1524);
    const otherCompany = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`
      insert into invitations (account_id, id, email, permissions, token_hash, inviter_account_id, expire_date)
      select ${otherCompany.account_id}, gen_random_uuid(), n || '@inv.localhost', '{}', sha256(n::text::bytea),
             ${otherCompany.account_id}, now() + interval '1 day'
      from generate_series(1, 200) n`);
    const refusal = await world.as(otherCompany.token).post('/v1/accounts/self/invitations', person);
    expect([code(refusal), refusal.headers.get('retry-after')]).toEqual([1146, '3600']);
  });

  it('does not turn names into links and explains why it was sent', async () => {
    const lure = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`
      update accounts set company_name = 'Win at http://evil.example/x now' where id = ${lure.account_id}`);
    await world.kernel.db.run(sql`
      update users set first_name = 'URGENT: log in at', last_name = 'evil.example' where id = ${lure.user_id}`);
    const invited = await world.as(lure.token).post('/v1/accounts/self/invitations', {
      email: 'stranger@inv.localhost',
      first_name: 'Dear winner, visit www.evil.example',
      permissions: {},
    });
    expect(invited.status).toBe(201);
    const { subject, text } = await lastMail('stranger@inv.localhost');
    expect(subject).toBe('URGENT log in at evil example invited you to Win at http evil example x now');
    expect(text).not.toMatch(/evil\.example|evil\//);
    expect(text).toContain('Hello Dear winner visit www evil example,');
    expect(text).toContain('URGENT log in at evil example gave us your address.');
    expect(text).not.toContain('because you work with');
  });

  it('links to the admin view when it is for an operator', async () => {
    const operators = await makeCompany(world.kernel, { operator: true });
    const { PUBLIC_URL, ADMIN_URL } = world.kernel.config;
    const email = 'new-operator@inv.localhost';
    await world.as(operators.token).post('/v1/accounts/self/invitations', { email, permissions: {} });
    expect((await lastMail(email)).text).toContain(`${ADMIN_URL}/invitations#token=`);
    await invite('new-customer@inv.localhost');
    expect((await lastMail('new-customer@inv.localhost')).text).toContain(`${PUBLIC_URL}/invitations#token=`);
    const home = (user_id: string) =>
      world.kernel.db.tx((tx) => findHomeUrl(tx, world.kernel, `${user_id.toUpperCase()}@test.localhost`));
    expect(await home(operators.user_id)).toBe(ADMIN_URL);
    // The home page of an operator who also belongs to a customer is the app.
    await world.kernel.db.run(sql`
      insert into users (account_id, id, login_id, email, first_name, last_name)
      values (${company.account_id}, gen_random_uuid(), ${operators.user_id}, 'both@inv.localhost', 'Both', 'Sides')`);
    expect(await home(operators.user_id)).toBe(PUBLIC_URL);
  });

  it('is rejected when the first name contains invisible characters', async () => {
    for (const first_name of ['\u200b\u200b', '\u202eevil', ' \u3164'])
      expect(field(await invite('unseen@inv.localhost', { first_name }))).toBe('first_name');
  });

  it('reports an invalid email address or link', async () => {
    const refusal = await invite('no-address');
    expect([code(refusal), field(refusal)]).toEqual([1113, 'email']);
    expect(code(await accept('x'.repeat(43), { password: PASSWORD }))).toBe(1131);
    expect(code(await accept('x', { password: PASSWORD }))).toBe(1131);
    expect(code(await world.as().get(`/v1/users/self/invitations/${'x'.repeat(43)}`))).toBe(1131);
  });

  it('all invariants hold after these tests', async () => {
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});

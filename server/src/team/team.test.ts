import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import * as mailbox from '../test/mailbox.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { makeSubAccount } from '../test/team.ts';
import { type Caller, createWorld, PROMPT_MS, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(() => world.stop());

const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
const listEvents = async (account_id: string, type: string) =>
  (
    await world.kernel.db.rows<{ payload: unknown }>(sql`
      select payload from events where account_id = ${account_id} and type = ${type} order by id`)
  ).map((row) => row.payload);
const acts = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ action: string }>(sql`
      select action from audit_log where account_id = ${account_id} order by number`)
  ).map((row) => row.action);
const mailsTo = (recipient: string) => mailbox.mailsTo(world.kernel, recipient);

/** Collects the events on a user's open page and reports whether its stream has ended. */
async function listen(token: string) {
  const abort = new AbortController();
  const events: string[] = [];
  const state = { events, ended: false, leave: () => abort.abort() };
  const response = await fetch(`${world.url}/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!)
      for (const [, type] of decoder.decode(chunk).matchAll(/"event_type":"([\w.]+)"/g)) events.push(type!);
    state.ended = true;
  })().catch(() => {});
  await until('the stream is open', () => events.includes('connection.ok'));
  return state;
}

describe('the team', () => {
  it('adds a user immediately and emails them an invitation link', async () => {
    const created = await owner.post('/v1/accounts/self/subusers', {
      email: 'Nina@team.localhost',
      first_name: 'Nina',
      last_name: 'Moss',
      position: 'Support',
      permissions: { MESSAGES: 3, CONVERSATIONS: 7, KEYS: 0 },
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      email: 'Nina@team.localhost',
      full_name: 'Nina Moss',
      status: 'NEW',
      blocked: false,
      is_owner: false,
      second_factor: false,
      phone_number: null,
      permissions: { MESSAGES: 3, CONVERSATIONS: 7 },
    });
    const [mail] = await mailsTo('Nina@team.localhost');
    expect(mail!.subject).toMatch(/^Test Person invited you to Company /);
    expect(mail!.text).toMatch(/\/invitations#token=[\w-]{43}\n/);
    expect(await acts(company.account_id)).toContain('user.created');
    expect(await listEvents(company.account_id, 'team.changed')).toContainEqual({ account_id: company.account_id });
    // The same address cannot be added again, either as a user or through an invitation.
    const again = { email: 'nina@team.localhost', first_name: 'N', last_name: 'M', position: '', permissions: {} };
    expect(code(await owner.post('/v1/accounts/self/subusers', again))).toBe(1134);
    expect(code(await owner.post('/v1/accounts/self/invitations', again))).toBe(1134);
    expect((await owner.get(`/v1/users/${created.body.data.id}`)).body.data).toEqual(created.body.data);
  });

  it('can be searched and filtered by status and position', async () => {
    const search = async (filter: string) =>
      (await owner.get(`/v1/users?${filter}`)).body.data.map((user: { email: string }) => user.email);
    expect(await search('filter[search]=moss')).toEqual(['Nina@team.localhost']);
    expect(await search('filter[search]=%25')).toEqual([]);
    expect(await search('filter[statuses]=NEW')).toEqual(['Nina@team.localhost']);
    expect(await search('filter[user_statuses]=NEW,BLOCKED')).toEqual(['Nina@team.localhost']);
    expect(await search('filter[positions]=support')).toEqual(['Nina@team.localhost']);
    expect(await search('filter[positions]=nothing')).toEqual([]);
    expect((await search('')).length).toBe(2);
    const stranger = await makeCompany(world.kernel);
    expect((await world.as(stranger.token).get('/v1/users')).body.pagination.total).toBe(1);
  });

  it('lets users grant only permissions they have', async () => {
    const lead = await makeUser(world.kernel, company.account_id, {
      permissions: { USERS: 15, MESSAGES: 1, SENDERS: 3 },
    });
    const colleague = await makeUser(world.kernel, company.account_id, { permissions: { PAYMENTS: 15 } });
    const as = world.as(lead.token);
    const path = `/v1/users/${colleague.user_id}`;
    const person = { email: 'x@team.localhost', first_name: 'X', last_name: 'Y', position: '' };
    for (const permissions of [{ MESSAGES: 3 }, { KEYS: 1 }, { SENDERS: 4 }]) {
      expect(code(await as.post('/v1/accounts/self/subusers', { ...person, permissions }))).toBe(1158);
      expect(code(await as.post('/v1/accounts/self/invitations', { ...person, permissions }))).toBe(1158);
      expect(code(await as.put(path, { permissions }))).toBe(1158);
    }
    // Existing permissions can be kept or removed, but the caller can add only permissions that they have.
    expect((await as.put(path, { permissions: { PAYMENTS: 15, SENDERS: 2 } })).body.data.permissions).toEqual({
      PAYMENTS: 15,
      SENDERS: 2,
    });
    expect((await as.put(path, { permissions: { PAYMENTS: 1 } })).status).toBe(200);
    expect(code(await as.put(path, { permissions: { PAYMENTS: 3 } }))).toBe(1158);
    expect(code(await as.put(path, { permissions: { PAYMENTS: 16 } }))).toBe(1117);
    expect(code(await as.put(path, { permissions: { NONSENSE: 1 } }))).toBe(1117);
  });

  it('does not let users change the owner or themselves', async () => {
    const lead = await makeUser(world.kernel, company.account_id, { permissions: { USERS: 15 } });
    const as = world.as(lead.token);
    expect(code(await as.put(`/v1/users/${company.user_id}`, { blocked: true }))).toBe(1159);
    expect(code(await as.delete(`/v1/users/self/subusers/${company.user_id}`))).toBe(1159);
    expect(code(await as.put(`/v1/users/${lead.user_id}`, { permissions: {} }))).toBe(1160);
    expect(code(await as.delete(`/v1/users/self/subusers/${lead.user_id}`))).toBe(1160);
    expect(code(await owner.put(`/v1/users/${company.user_id}`, { first_name: 'Me' }))).toBe(1160);
    const stranger = await makeCompany(world.kernel);
    expect(code(await world.as(stranger.token).put(`/v1/users/${lead.user_id}`, { blocked: true }))).toBe(1130);
    expect(code(await world.as(stranger.token).delete(`/v1/users/self/subusers/${lead.user_id}`))).toBe(1130);
  });

  it('applies changed permissions to the next request and notifies open pages immediately', async () => {
    const agent = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 1 } });
    const page = await listen(agent.token);
    const update = await owner.put(`/v1/users/self/subusers/${agent.user_id}`, { permissions: { TEMPLATES: 1 } });
    expect(update.body.data.permissions).toEqual({ TEMPLATES: 1 });
    expect((await world.as(agent.token).get('/v1/audiences')).status).toBe(403);
    await until('the page receives the event', () => page.events.includes('session.changed'), PROMPT_MS);
    expect(page.ended).toBe(false);
    page.leave();
    const { detail } = await world.kernel.db.one<{ detail: unknown }>(sql`
      select detail from audit_log where account_id = ${company.account_id} and target_id = ${agent.user_id}`);
    expect(detail).toEqual({ permissions: { from: { AUDIENCES: 1 }, to: { TEMPLATES: 1 } } });
  });

  it('blocks a user immediately, notifies them by email, and can unblock them', async () => {
    const agent = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 1 } });
    const page = await listen(agent.token);
    const path = `/v1/users/${agent.user_id}`;
    const block = await owner.put(path, { blocked: true, block_reason: 'On leave' });
    expect(block.body.data).toMatchObject({ status: 'BLOCKED', blocked: true, block_reason: 'On leave' });
    await until('the stream has ended', () => page.ended, PROMPT_MS);
    expect(code(await world.as(agent.token).get('/v1/audiences'))).toBe(1135);
    expect((await mailsTo(block.body.data.email)).map(({ subject }) => subject)).toEqual(['Your access is blocked']);
    expect((await owner.put(path, { blocked: false })).body.data).toMatchObject({ blocked: false, block_reason: '' });
    // The user signs in again, since the session may be the reason for the block.
    expect((await world.as(agent.token).get('/v1/audiences')).status).toBe(401);
    expect((await acts(company.account_id)).slice(-2)).toEqual(['user.blocked', 'user.unblocked']);
  });

  it('blocks a user even while they are in a sub-account', async () => {
    const branch = await makeSubAccount(world.kernel, company);
    const lead = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 15, AUDIENCES: 1 } });
    const subUserId = (await owner.get(`/v1/accounts/self/subaccounts?filter[search]=${branch}`)).body.data[0]
      .owner_user_id;
    const token = (await world.as(lead.token).get(`/v1/users/${subUserId}/token`)).body.data.access_token;
    expect((await world.as(token).get('/v1/audiences')).status).toBe(200);
    const page = await listen(token);
    const path = `/v1/users/${lead.user_id}`;
    await owner.put(path, { permissions: { ACCOUNTS: 15 } });
    await until(
      'the page in the sub-account receives the event',
      () => page.events.includes('session.changed'),
      PROMPT_MS,
    );
    expect((await world.as(token).get('/v1/audiences')).status).toBe(403);
    await owner.put(path, { blocked: true });
    await until('the stream in the sub-account has ended', () => page.ended, PROMPT_MS);
    expect(code(await world.as(token).get('/v1/users/self'))).toBe(1135);
  });

  it('removes only its own blocks and cannot bypass an operator’s block by removing the user', async () => {
    const agent = await makeUser(world.kernel, company.account_id, { permissions: {} });
    const operators = world.as((await makeCompany(world.kernel, { operator: true })).token);
    const path = `/v1/users/${agent.user_id}`;
    const byOperator = (isBlocked: boolean) =>
      operators.put(`/v1/accounts/${company.account_id}/users/${agent.user_id}/block`, {
        blocked: isBlocked,
        reason: 'Fraud',
      });
    await owner.put(path, { blocked: true, block_reason: 'Left us' });
    // The operator cannot remove the company's block.
    expect(code(await byOperator(false))).toBe(1136);
    expect((await byOperator(true)).body.data).toMatchObject({
      blocked: true,
      blocked_by_operator: true,
      block_reason: 'Fraud',
    });
    expect(code(await owner.put(path, { blocked: false }))).toBe(1136);
    expect((await owner.put(path, { position: 'Clerk' })).body.data).toMatchObject({
      blocked: true,
      block_reason: 'Fraud',
    });
    // The user cannot be removed, because inviting them again would bypass the block.
    expect(code(await owner.delete(`/v1/users/self/subusers/${agent.user_id}`))).toBe(1136);
    expect((await byOperator(false)).body.data).toMatchObject({
      blocked: true,
      blocked_by_operator: false,
      block_reason: 'Left us',
    });
    expect((await world.as(agent.token).get('/v1/users/self')).status).toBe(401);
    expect((await owner.put(path, { blocked: false })).body.data).toMatchObject({ blocked: false, block_reason: '' });
    expect((await world.as(agent.token).get('/v1/users/self')).status).toBe(401);
    // In the reverse order, the operator blocks the user before the company does.
    await byOperator(true);
    expect((await owner.put(path, { blocked: true, block_reason: 'Left' })).body.data.block_reason).toBe('Fraud');
    expect((await byOperator(false)).body.data).toMatchObject({ blocked: true, block_reason: 'Left' });
    expect((await owner.delete(`/v1/users/self/subusers/${agent.user_id}`)).status).toBe(204);
  });

  it('removes a user with their sessions, assignments, and unused login, but keeps their name', async () => {
    const { db } = world.kernel;
    const agent = await makeUser(world.kernel, company.account_id, {
      first_name: 'Gone',
      permissions: { MESSAGES: 1 },
    });
    const { sender_id } = await makeSender(world.kernel, company.account_id);
    const conversation = '0192f0c0-0000-7000-8000-000000000001';
    await db.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, assignee_id, timestamp)
      values (${company.account_id}, ${conversation}, 'SMS', ${sender_id}, '447400000009', ${agent.user_id}, now())`);
    const page = await listen(agent.token);
    expect((await owner.delete(`/v1/users/self/subusers/${agent.user_id}`)).status).toBe(204);
    await until('the stream has ended', () => page.ended, PROMPT_MS);
    expect(page.events).toContain('session.ended');
    expect((await world.as(agent.token).get('/v1/users/self')).status).toBe(401);
    expect((await owner.get(`/v1/users/${agent.user_id}`)).status).toBe(404);
    await until('the conversation is unassigned', async () => {
      const row = await owner.get(`/v1/conversations/${conversation}`);
      return row.body.data.assignee_id === null;
    });
    expect(await listEvents(company.account_id, 'conversation.updated')).toContainEqual(
      expect.objectContaining({ id: conversation, assignee_id: null, assignee_name: null }),
    );
    expect(await db.maybeOne(sql`select first_name, email, login_id from users where id = ${agent.user_id}`)).toEqual({
      first_name: 'Gone',
      email: '',
      login_id: null,
    });
    expect(await db.maybeOne(sql`select 1 from logins where id = ${agent.user_id}`)).toBeNull();
    expect(await db.maybeOne(sql`select 1 from sessions where user_id = ${agent.user_id}`)).toBeNull();
    expect((await acts(company.account_id)).at(-1)).toBe('user.removed');
    expect((await owner.delete(`/v1/users/self/subusers/${agent.user_id}`)).status).toBe(404);
  });

  it('keeps the login of a removed user who belongs to another company', async () => {
    const { db } = world.kernel;
    const other = await makeCompany(world.kernel);
    const agent = await makeUser(world.kernel, company.account_id, { permissions: {} });
    await db.run(sql`
      insert into users (account_id, id, login_id, email, first_name, last_name)
      select ${other.account_id}, gen_random_uuid(), login_id, email, first_name, last_name from users
      where id = ${agent.user_id}`);
    await owner.delete(`/v1/users/self/subusers/${agent.user_id}`);
    expect(await db.maybeOne(sql`select status from logins where id = ${agent.user_id}`)).not.toBeNull();
    expect((await world.as(other.token).get('/v1/users')).body.pagination.total).toBe(2);
    expect((await world.as(agent.token).get('/v1/users/self')).status).toBe(401);
  });

  it('all invariants hold after these tests', async () => {
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});

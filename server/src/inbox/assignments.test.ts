import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let ann: { user_id: string; token: string };
let id: string;
let number = 447410001000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ann = await makeUser(world.kernel, company.account_id, { first_name: 'Ann', permissions: { MESSAGES: 3 } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  id = await makeConversation(world.kernel, {
    account_id: company.account_id,
    sender_id,
    number: String(number++),
  });
});

const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const assign = (caller: Caller, assignee_id: string | null) => caller.put(`/v1/conversations/${id}`, { assignee_id });
const records = async (caller: Caller = owner) =>
  (await caller.get(`/v1/conversations/${id}/assignments`)).body.data.map(
    ({ from, to, by, seen_by_assignee }: Record<string, { full_name: string } | boolean | null>) => [
      (from as { full_name: string } | null)?.full_name ?? null,
      (to as { full_name: string } | null)?.full_name ?? null,
      (by as { full_name: string } | null)?.full_name ?? null,
      seen_by_assignee,
    ],
  );

describe('an assignment', () => {
  test('is recorded with the users, and is seen once the assignee reads the conversation', async () => {
    const assigned = await assign(owner, ann.user_id);
    expect(assigned.body.data).toMatchObject({ assignee_id: ann.user_id, assignee_name: 'Ann Person' });
    expect(await records()).toEqual([[null, 'Ann Person', 'Test Person', false]]);
    const caller = world.as(ann.token);
    await owner.put(`/v1/conversations/${id}`, { last_read_timestamp: '2026-01-01 00:00:00' });
    expect(await records(caller)).toEqual([[null, 'Ann Person', 'Test Person', false]]);
    await caller.put(`/v1/conversations/${id}`, { last_read_timestamp: '2026-01-01 00:00:00' });
    expect(await records()).toEqual([[null, 'Ann Person', 'Test Person', true]]);
  });

  test('to the caller counts as seen immediately, and unassigning adds a record', async () => {
    await assign(owner, company.user_id);
    expect((await assign(owner, null)).body.data).toMatchObject({ assignee_id: null, assignee_name: null });
    expect(await records()).toEqual([
      ['Test Person', null, 'Test Person', false],
      [null, 'Test Person', 'Test Person', true],
    ]);
  });

  test('to the same user changes nothing', async () => {
    const replies = await Promise.all([assign(owner, ann.user_id), assign(owner, ann.user_id)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await records()).toHaveLength(1);
  });

  test('is refused to users without access to the inbox, of other companies, and without the permission', async () => {
    const { kernel } = world;
    const outsider = await makeUser(kernel, company.account_id, { permissions: { AUDIENCES: 15 } });
    const blocked = await makeUser(kernel, company.account_id, { permissions: { MESSAGES: 1 }, status: 'BLOCKED' });
    const stranger = await makeCompany(kernel);
    for (const user of [outsider, blocked, stranger])
      expect(answer(await assign(owner, user.user_id))).toEqual([400, 2020]);
    expect(answer(await owner.put(`/v1/conversations/${id}`, { assignee_id: 'ann' }))).toEqual([400, 2020]);
    const agent = await makeUser(kernel, company.account_id, { permissions: { MESSAGES: 3, CONVERSATIONS: 3 } });
    expect(answer(await assign(world.as(agent.token), agent.user_id))).toEqual([403, 1136]);
    expect(answer(await world.as(stranger.token).put(`/v1/conversations/${id}`, { assignee_id: null }))).toEqual([
      404, 1651,
    ]);
    expect(await records()).toEqual([]);
  });

  test('names the assignee of each message at its time', async () => {
    await assign(owner, ann.user_id);
    await world.kernel.db.run(sql`
      update messages set create_date = now() + interval '1 second' where account_id = ${company.account_id}`);
    const { data } = (await owner.get(`/v1/conversations/${id}/messages`)).body;
    expect(data).toMatchObject([
      { assignee_name: 'Ann Person', media_type: 'text', url: null, button_text: null, thumbnail_url: null },
    ]);
    expect(data[0].timestamp).toBe(data[0].create_date);
  });
});

test('the users of the inbox are those who can view messages, with initials', async () => {
  const { data } = (await owner.get('/v1/inbox_users')).body;
  expect(data).toContainEqual(expect.objectContaining({ id: ann.user_id, full_name: 'Ann Person', initials: 'AP' }));
  const { rows } = { rows: data as { id: string }[] };
  expect(new Set(rows.map((user) => user.id)).size).toBe(rows.length);
});

test('the counts follow a conversation to the bucket of its assignee', async () => {
  const before = (await owner.get('/v1/conversation_badges')).body.data;
  await assign(owner, ann.user_id);
  const after = (await owner.get('/v1/conversation_badges')).body.data;
  expect(after.none).toEqual({
    conversations: before.none.conversations - 1,
    unread: before.none.unread - 1,
    total: before.none.total - 1,
  });
  expect(after.others.total).toBe(before.others.total + 1);
  expect((await world.as(ann.token).get('/v1/conversation_badges')).body.data).toMatchObject({
    none: { total: 0 },
    others: { total: 0 },
  });
});

import type { InboxViewCount } from '@parley/contract/inbox/saved_views.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let ann: Caller;
let bob: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ann = world.as(company.token);
  bob = await user({ CAMPAIGNS: 1 });
});

const user = async (permissions: Record<string, number>): Promise<Caller> =>
  world.as((await makeUser(world.kernel, company.account_id, { permissions })).token);

const STATE = {
  filters: { statuses: 'completed,failed', search: 'spring' },
  sort: '-name',
  columns: { shown: { cost: false }, order: ['status', 'name'] },
};
const view = (more: object = {}) => ({ list: 'campaigns', name: 'Finished', state: STATE, ...more });
const save = async (caller: Caller, more: object = {}) => (await caller.post('/v1/views', view(more))).body.data;
const names = async (caller: Caller, list = 'campaigns') =>
  (await caller.get(`/v1/views?list=${list}`)).body.data.map(({ name }: { name: string }) => name);
const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];

describe('a private view', () => {
  test('keeps filters, order, and columns, and is listed by name', async () => {
    const saved = await ann.post('/v1/views', view());
    expect(saved.status).toBe(201);
    expect(saved.body.data).toMatchObject({ name: 'Finished', shared: false, is_own: true, state: STATE });
    await save(ann, { name: 'aborted' });
    expect(await names(ann)).toEqual(['aborted', 'Finished']);
    expect(await names(ann, 'audiences')).toEqual([]);
  });

  test('is not found by other users of the account', async () => {
    const { id } = await save(ann);
    const other = await user({ CAMPAIGNS: 15, ACCOUNTS: 15 });
    expect(await names(other)).toEqual([]);
    const replies = [await other.put(`/v1/views/${id}`, { name: 'Mine' }), await other.delete(`/v1/views/${id}`)];
    expect(replies.map(answer)).toEqual([
      [404, 1706],
      [404, 1706],
    ]);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(answer(await stranger.delete(`/v1/views/${id}`))).toEqual([404, 1706]);
  });

  test('is renamed, changed, and deleted', async () => {
    const { id } = await save(ann);
    const state = { ...STATE, sort: null };
    expect((await ann.put(`/v1/views/${id}`, { name: 'Done' })).body.data).toMatchObject({
      name: 'Done',
      state: STATE,
    });
    expect((await ann.put(`/v1/views/${id}`, { state })).body.data).toMatchObject({ name: 'Done', state });
    expect((await ann.delete(`/v1/views/${id}`)).status).toBe(204);
    expect(answer(await ann.delete(`/v1/views/${id}`))).toEqual([404, 1706]);
  });

  test('needs a name that the user has not used in the list', async () => {
    const { id } = await save(ann);
    expect(answer(await ann.post('/v1/views', view({ name: 'FINISHED' })))).toEqual([409, 1707]);
    expect(answer(await ann.post('/v1/views', view({ name: ' ' })))).toEqual([400, 1705]);
    expect((await ann.post('/v1/views', view({ list: 'audiences' }))).status).toBe(201);
    expect((await ann.put(`/v1/views/${id}`, { name: 'finished' })).status).toBe(200);
  });

  test('is refused above 50 for the user and the list, even for simultaneous requests', async () => {
    await Promise.all(Array.from({ length: 48 }, (_, index) => save(ann, { name: `View ${index}` })));
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ann.post('/v1/views', view({ name: `More ${index}` }))),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(replies.filter(({ status }) => status !== 201).map(answer)).toEqual(Array(3).fill([400, 1708]));
    expect((await ann.post('/v1/views', view({ list: 'audiences' }))).status).toBe(201);
  });
});

describe('a shared view', () => {
  test('is visible to users who may view the list', async () => {
    await save(ann, { shared: true });
    expect((await bob.get('/v1/views?list=campaigns')).body.data).toMatchObject([{ name: 'Finished', is_own: false }]);
    expect(answer(await (await user({ AUDIENCES: 15 })).get('/v1/views?list=campaigns'))).toEqual([403, 1136]);
  });

  test('is changed only by users who may edit the account or the records', async () => {
    const { id } = await save(ann, { shared: true });
    expect(answer(await bob.put(`/v1/views/${id}`, { name: 'Bob' }))).toEqual([403, 1136]);
    expect(answer(await bob.delete(`/v1/views/${id}`))).toEqual([403, 1136]);
    expect(answer(await bob.post('/v1/views', view({ shared: true })))).toEqual([403, 1136]);
    const editor = await user({ CAMPAIGNS: 1 + 4 });
    expect((await editor.put(`/v1/views/${id}`, { name: 'Edited' })).body.data).toMatchObject({ is_own: false });
    expect((await editor.delete(`/v1/views/${id}`)).status).toBe(204);
  });

  test('becomes private again at the request of its user', async () => {
    const { id } = await save(ann, { shared: true });
    expect((await ann.put(`/v1/views/${id}`, { shared: false })).body.data.shared).toBe(false);
    expect(await names(bob)).toEqual([]);
  });

  test('is kept when its user leaves, whose private views are deleted', async () => {
    const { user_id, token } = await makeUser(world.kernel, company.account_id, { permissions: { CAMPAIGNS: 15 } });
    const leaver = world.as(token);
    await save(leaver, { shared: true });
    await save(leaver, { name: 'Private' });
    expect((await ann.delete(`/v1/users/self/subusers/${user_id}`)).status).toBe(204);
    expect(await names(ann)).toEqual(['Finished']);
    const left = await world.kernel.db.one(sql`select count(*) from saved_views where user_id = ${user_id}`);
    expect(left).toEqual({ count: 1 });
  });
});

test('views of the operators’ lists are refused to customers', async () => {
  expect(answer(await ann.get('/v1/views?list=customers'))).toEqual([403, 1136]);
  const operators = await makeCompany(world.kernel, { operator: true });
  expect(await names(world.as(operators.token), 'customers')).toEqual([]);
});

test('API keys have no views', async () => {
  const key = await makeKey(world.kernel, company.account_id, { CAMPAIGNS: 15 });
  expect((await world.as({ key }).get('/v1/views?list=campaigns')).status).toBe(403);
});

test('an unknown list and a state that is too large are refused', async () => {
  expect(answer(await ann.get('/v1/views?list=nothing'))).toEqual([400, 1705]);
  const filters = { search: 'x'.repeat(2_001) };
  expect(answer(await ann.post('/v1/views', view({ state: { ...STATE, filters } })))).toEqual([400, 1705]);
  const order = Array(101).fill('name');
  expect(answer(await ann.post('/v1/views', view({ state: { ...STATE, columns: { shown: {}, order } } })))).toEqual([
    400, 1705,
  ]);
});

test('the counts of inbox views include only conversations that the user may view', async () => {
  const company = await makeCompany(world.kernel);
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  const { user_id, token } = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const agent = world.as(token);
  let number = 447410004000;
  for (const assignee_id of [user_id, null, null, company.user_id])
    await makeConversation(world.kernel, {
      ...{ account_id: company.account_id, sender_id, assignee_id, number: String(number++) },
    });
  const owner = world.as(company.token);
  const save = async (name: string, filters: Record<string, string>) =>
    (
      await owner.post('/v1/views', {
        ...{ list: 'inbox', name, shared: true },
        state: { filters, sort: null, columns: { shown: {}, order: [] } },
      })
    ).body.data.id as string;
  const none = await save('Waiting', { bucket: 'none', status: 'open', unread: 'true' });
  const closed = await save('Closed', { bucket: 'none', status: 'closed' });
  const self = await save('Mine', { bucket: 'self', label_id: 'not an id', future: 'x' });
  const counts = async (caller: Caller) => {
    const { body } = await caller.get('/v1/inbox_view_counts');
    const rows = body.data as InboxViewCount[];
    return Object.fromEntries(rows.map(({ view_id, ...count }) => [view_id, count]));
  };
  const [zero, one, two] = [0, 1, 2].map((count) => ({ conversations: count, unread: count }));
  expect(await counts(owner)).toEqual({ [none]: two, [closed]: zero, [self]: one });
  expect(await counts(agent)).toEqual({ [none]: zero, [closed]: zero, [self]: one });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeAudience, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let ann: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ann = await user({ MESSAGES: 3 });
});

const user = async (permissions: Record<string, number>): Promise<Caller> =>
  world.as((await makeUser(world.kernel, company.account_id, { permissions })).token);
const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const save = async (caller: Caller, more: object = {}): Promise<string> =>
  (await caller.post('/v1/responses', { name: 'Hello', text: 'Hello {first_name}', ...more })).body.data.id;
const names = async (caller: Caller, query = '') =>
  (await caller.get(`/v1/responses?${query}`)).body.data.map(({ name }: { name: string }) => name);

describe('a response', () => {
  test('is private until it is shared, and is found by its name and text', async () => {
    await save(ann, { name: 'Opening hours', text: 'We are open until 18:00 ☕' });
    await save(ann, { name: 'address', text: '1 Harbour Street', shared: true });
    expect(await names(ann)).toEqual(['address', 'Opening hours']);
    expect(await names(ann, 'filter[search]=18:00')).toEqual(['Opening hours']);
    expect((await owner.get('/v1/responses')).body.data).toMatchObject([
      { name: 'address', is_own: false, user_name: 'Test Person', usage_count: 0 },
    ]);
  });

  test('is hidden from other companies, and a private one from other users', async () => {
    const id = await save(ann);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    for (const caller of [owner, stranger]) {
      expect(answer(await caller.get(`/v1/responses/${id}`))).toEqual([404, 2021]);
      expect(answer(await caller.delete(`/v1/responses/${id}`))).toEqual([404, 2021]);
    }
    expect((await ann.get(`/v1/responses/${id}`)).body.data).toMatchObject({ id, text: 'Hello {first_name}' });
  });

  test('can be deleted by its user, and if shared, by users who can delete messages', async () => {
    const id = await save(ann, { shared: true });
    expect(answer(await (await user({ MESSAGES: 3 })).delete(`/v1/responses/${id}`))).toEqual([403, 2024]);
    expect((await owner.delete(`/v1/responses/${id}`)).status).toBe(204);
    expect(answer(await ann.delete(`/v1/responses/${id}`))).toEqual([404, 2021]);
    expect((await ann.delete(`/v1/responses/${await save(ann)}`)).status).toBe(204);
  });

  test('needs a new name and a text of at most 1,000 characters', async () => {
    const saved = await Promise.all([
      ann.post('/v1/responses', { name: 'Bye', text: 'Bye' }),
      ann.post('/v1/responses', { name: 'BYE', text: 'Bye' }),
    ]);
    expect(saved.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answer(await ann.post('/v1/responses', { name: 'A', text: ' ' }))).toEqual([400, 1508]);
    expect((await ann.post('/v1/responses', { name: 'A', text: 'x'.repeat(1_001) })).status).toBe(400);
    expect((await ann.post('/v1/responses', { name: 'A\0', text: 'x' })).status).toBe(400);
    expect((await owner.post('/v1/responses', { name: 'Bye', text: 'Bye' })).status).toBe(201);
  });

  test('is filled in with the values of the contact and the user, and each use is counted', async () => {
    await makeAudience(world.kernel, company.account_id, [{ number: '447410003001', first_name: 'Zoë' }]);
    const { sender_id } = await makeSender(world.kernel, company.account_id);
    const own = { account_id: company.account_id, sender_id, number: '447410003001' };
    const conversation_id = await makeConversation(world.kernel, own);
    const text = 'Hello {first_name} {last_name}, {agent_name} here. {order}';
    const id = await save(owner, { text, shared: true });
    const use = (caller: Caller) => caller.post(`/v1/responses/${id}/texts`, { conversation_id });
    expect((await use(owner)).body.data).toEqual({
      text: 'Hello Zoë {last_name}, Test Person here. {order}',
      missing: ['last_name'],
    });
    expect((await owner.get(`/v1/responses/${id}`)).body.data).toMatchObject({ usage_count: 1 });
    expect(answer(await use(ann))).toEqual([403, 1653]);
    expect((await owner.get(`/v1/responses/${id}`)).body.data).toMatchObject({ usage_count: 1 });
  });

  test('can be changed by its user, and if shared, by users who can edit messages', async () => {
    const id = await save(ann, { shared: true, shortcut: 'hi' });
    const change = { text: 'Good day', folder: 'Greetings' };
    expect(answer(await (await user({ MESSAGES: 3 })).put(`/v1/responses/${id}`, change))).toEqual([403, 2692]);
    expect((await owner.put(`/v1/responses/${id}`, change)).body.data).toMatchObject({
      ...{ ...change, name: 'Hello', shortcut: 'hi', shared: true, is_own: false },
    });
    expect(answer(await owner.put(`/v1/responses/${id}`, { shared: false }))).toEqual([403, 2692]);
    expect((await ann.put(`/v1/responses/${id}`, { shared: false, name: 'Hi' })).body.data.shared).toBe(false);
    expect(answer(await owner.put(`/v1/responses/${id}`, change))).toEqual([404, 2021]);
    await save(ann, { name: 'Bye' });
    expect(answer(await ann.put(`/v1/responses/${id}`, { name: 'bye' }))).toEqual([409, 2022]);
  });

  test('is listed by folder, and the folders are counted', async () => {
    await save(ann, { name: 'Refund', folder: 'Billing', shared: true });
    await save(ann, { name: 'Invoice', folder: 'billing' });
    await save(ann, { name: 'Address', folder: null });
    expect(await names(ann)).toEqual(['Invoice', 'Refund', 'Address']);
    expect(await names(ann, 'filter[folder]=BILLING')).toEqual(['Invoice', 'Refund']);
    expect((await ann.get('/v1/response_folders')).body.data).toEqual([{ name: 'Billing', responses: 2 }]);
    expect((await owner.get('/v1/response_folders')).body.data).toEqual([{ name: 'Billing', responses: 1 }]);
  });

  test('has a shortcut that is unique among shared ones and among those of a user', async () => {
    await save(ann, { name: 'A', text: 'refund', shortcut: '/Refund' });
    expect(answer(await ann.post('/v1/responses', { name: 'B', text: 'B', shortcut: 'refund' }))).toEqual([409, 2691]);
    expect(answer(await ann.post('/v1/responses', { name: 'B', text: 'B', shortcut: 'a b' }))).toEqual([400, 2690]);
    await save(owner, { name: 'C', shortcut: 'refund', shared: true });
    const shared = { name: 'D', text: 'D', shortcut: 'refund', shared: true };
    expect(answer(await ann.post('/v1/responses', shared))).toEqual([409, 2691]);
    await save(ann, { name: 'Refunds', shortcut: 'refunds' });
    await save(ann, { name: '0', text: 'How to get a refund' });
    // The exact shortcut comes first, and the user's own response before the shared one.
    expect(await names(ann, 'filter[search]=/REFUND')).toEqual(['A', 'C', 'Refunds']);
    expect(await names(ann, 'filter[search]=refund')).toEqual(['A', 'C', 'Refunds', '0']);
  });
});

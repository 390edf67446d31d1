import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let ids: string[];
let number = 447410005000;

beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  const { account_id } = company;
  const { sender_id } = await makeSender(world.kernel, account_id);
  ids = [];
  for (let n = 0; n < 3; n++)
    ids.push(await makeConversation(world.kernel, { account_id, sender_id, number: String(number++) }));
});

const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const create = async (name: string, color = 'red'): Promise<string> =>
  (await owner.post('/v1/labels', { name, color })).body.data.id;
const put = (id: string, label: string, caller: Caller = owner) =>
  caller.put(`/v1/conversations/${id}/labels/${label}`, {});
const labeled = async (label: string) =>
  (await owner.get(`/v1/conversations?filter[label_id]=${label}`)).body.data.map((row: { id: string }) => row.id);
const names = async (caller: Caller = owner) =>
  (await caller.get('/v1/labels')).body.data.map((row: { name: string; color: string }) => [row.name, row.color]);

describe('a label', () => {
  test('has a unique name and a color, and can be changed', async () => {
    const id = await create('VIP', 'purple');
    await create('Billing');
    expect(await names()).toEqual([
      ['Billing', 'red'],
      ['VIP', 'purple'],
    ]);
    expect(answer(await owner.post('/v1/labels', { name: 'vip' }))).toEqual([409, 2337]);
    expect(answer(await owner.put(`/v1/labels/${id}`, { name: 'billing' }))).toEqual([409, 2337]);
    expect((await owner.put(`/v1/labels/${id}`, { name: 'vip' })).body.data).toMatchObject({
      name: 'vip',
      color: 'purple',
    });
    for (const name of ['', 'a\0b', 'a\u202Eb', 'x'.repeat(10_000)])
      expect([name.length, (await owner.post('/v1/labels', { name })).status]).toEqual([name.length, 400]);
    expect((await owner.post('/v1/labels', { name: 'New', color: 'plaid' })).status).toBe(400);
  });

  test('is one of at most 100', async () => {
    await world.kernel.db.run(sql`
      insert into labels (account_id, id, name, color)
      select ${company.account_id}, gen_random_uuid(), 'Label ' || n, 'gray' from generate_series(1, 99) n`);
    const saved = await Promise.all(['A', 'B'].map((name) => owner.post('/v1/labels', { name })));
    expect(saved.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  test('is shown on its conversations, and filters the list', async () => {
    const [vip, late] = [await create('VIP'), await create('Late')];
    await put(ids[0]!, vip);
    await put(ids[0]!, late);
    expect((await put(ids[1]!, vip)).body.data.label_ids).toEqual([vip]);
    expect((await put(ids[1]!, vip)).status).toBe(200);
    expect((await owner.get(`/v1/conversations/${ids[0]}`)).body.data.label_ids).toEqual([late, vip]);
    expect((await labeled(vip)).sort()).toEqual([ids[0], ids[1]].sort());
    expect((await owner.delete(`/v1/conversations/${ids[0]}/labels/${vip}`)).body.data.label_ids).toEqual([late]);
    expect(await labeled(vip)).toEqual([ids[1]]);
  });

  test('that is deleted leaves all conversations', async () => {
    const vip = await create('VIP');
    await put(ids[0]!, vip);
    expect((await owner.delete(`/v1/labels/${vip}`)).status).toBe(204);
    expect((await owner.get(`/v1/conversations/${ids[0]}`)).body.data.label_ids).toEqual([]);
    expect(answer(await put(ids[0]!, vip))).toEqual([404, 2336]);
    expect(answer(await owner.delete(`/v1/labels/${vip}`))).toEqual([404, 2336]);
    await until('the label is removed from the conversation', async () => {
      const rows = await world.kernel.db.rows(sql`
        select from conversation_labels where account_id = ${company.account_id}`);
      return rows.length === 0;
    });
  });

  test('is managed by users who may edit conversations, and applied by users who may reply', async () => {
    const vip = await create('VIP');
    const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 3, CONVERSATIONS: 1 } });
    const reader = await makeUser(world.kernel, company.account_id, { permissions: { CONVERSATIONS: 1 } });
    const caller = world.as(agent.token);
    expect(answer(await caller.post('/v1/labels', { name: 'New' }))).toEqual([403, 1136]);
    expect(answer(await caller.delete(`/v1/labels/${vip}`))).toEqual([403, 1136]);
    expect((await put(ids[0]!, vip, caller)).status).toBe(200);
    expect(answer(await put(ids[0]!, vip, world.as(reader.token)))).toEqual([403, 1136]);
    expect(await names(world.as(reader.token))).toEqual([['VIP', 'red']]);
  });

  test('of another company cannot be read, applied, changed, or deleted', async () => {
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const vip = await create('VIP');
    const foreign = (await stranger.post('/v1/labels', { name: 'VIP' })).body.data.id;
    expect(await names(stranger)).toEqual([['VIP', 'gray']]);
    expect(answer(await put(ids[0]!, foreign))).toEqual([404, 2336]);
    expect(answer(await put(ids[0]!, vip, stranger))).toEqual([404, 1651]);
    expect(answer(await stranger.put(`/v1/labels/${vip}`, { name: 'Mine' }))).toEqual([404, 2336]);
    expect(answer(await stranger.delete(`/v1/labels/${vip}`))).toEqual([404, 2336]);
    expect(await labeled(foreign)).toEqual([]);
  });
});

test('a bulk job labels all conversations of a filter, and removes the label again', async () => {
  const vip = await create('VIP');
  const params = { label_id: vip };
  const job = await owner.post('/v1/bulk_jobs', {
    action: 'label_conversations',
    params,
    filter: { status: ['open'] },
  });
  expect(job.status).toBe(202);
  await until('all conversations have the label', async () => (await labeled(vip)).length === 3);
  await owner.post('/v1/bulk_jobs', { action: 'unlabel_conversations', params, ids: ids.slice(0, 2) });
  await until('one conversation has the label', async () => (await labeled(vip)).length === 1);
  const bad = await owner.post('/v1/bulk_jobs', { action: 'label_conversations', params: { label_id: 'x' }, ids });
  expect(answer(bad)).toEqual([404, 2336]);
});

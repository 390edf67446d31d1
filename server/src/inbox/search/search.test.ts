import type { FoundTexts } from '@parley/contract/inbox/text_search.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { addTexts, sealTexts } from '../../messages/messages.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeAudience, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let company: Company;
let caller: Caller;
let sender_id: string;
let number = 447410003000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  caller = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});
afterAll(() => world.stop());

const converse = async (texts: readonly string[], assignee_id: string | null = null) => {
  const id = await makeConversation(world.kernel, {
    ...{ account_id: company.account_id, sender_id, assignee_id, number: String(number++), texts },
  });
  await addTexts(world.kernel);
  return id;
};

async function find(text: string, options: { kind?: string; token?: string | null; as?: Caller } = {}) {
  const { kind = 'message', token, as = caller } = options;
  const query = new URLSearchParams({ text, kind, ...(token ? { page_token: token } : {}) });
  return (await as.get(`/v1/inbox_texts?${query}`)).body.data as FoundTexts;
}

const texts = ({ results }: FoundTexts) => results.map(({ snippet }) => snippet.map(({ text }) => text).join(''));

test('messages in any language are found with their conversation, before and after their block is full', async () => {
  const id = await converse(['Where is my Päckchen?', 'أين الطَّلَبِيَّة', '我的订单在哪里', 'Thanks 👍🏽']);
  const check = async () => {
    for (const query of ['packchen where', 'الطلبية', '订单', '👍']) {
      const { results } = await find(query);
      expect([query, results.map(({ conversation }) => conversation.id)]).toEqual([query, [id]]);
    }
    expect((await find('packchen')).results[0]).toMatchObject({
      direction: 'MO',
      snippet: [
        { text: 'Where is my ', match: false },
        { text: 'Päckchen', match: true },
        { text: '?', match: false },
      ],
    });
  };
  await check();
  await sealTexts(world.kernel, { account_id: company.account_id, kind: 'message' }, undefined, 2);
  await check();
});

test('pages go from the newest text to the oldest, each once, across blocks', async () => {
  const written = Array.from({ length: 50 }, (_, index) => `invoice ${index}`);
  await converse(written);
  await sealTexts(world.kernel, { account_id: company.account_id, kind: 'message' }, undefined, 3);
  const last = ['invoice 50', 'invoice 51'];
  await converse(last);
  const found: string[] = [];
  let token: string | null = null;
  do {
    const page: FoundTexts = await find('invoice', { token });
    expect(page.results.length).toBeLessThanOrEqual(20);
    found.push(...texts(page));
    token = page.next;
  } while (token);
  expect(found).toEqual([...written, ...last].reverse());
  expect((await caller.get('/v1/inbox_texts?text=a&kind=message&page_token=1')).status).toBe(400);
});

test('a message that is sent can be found immediately, and an account finds only its own texts', async () => {
  const id = await converse(['Hi']);
  const note = { text: 'Wants a Rückruf tomorrow' };
  expect((await caller.post(`/v1/conversations/${id}/notes`, note)).status).toBe(201);
  const [found] = (await find('ruckruf', { kind: 'note' })).results;
  expect(found).toMatchObject({ kind: 'note', direction: null, conversation: { id } });
  expect((await find('ruckruf')).results).toEqual([]);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await find('ruckruf', { kind: 'note', as: stranger })).results).toEqual([]);
  await caller.delete(`/v1/conversations/${id}/notes/${found!.id}`);
  expect((await find('ruckruf', { kind: 'note' })).results).toEqual([]);
});

test('the search obeys the buckets of the inbox', async () => {
  const { user_id, token } = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const own = await converse(['zebra'], user_id);
  await converse(['zebra']);
  await converse(['zebra'], company.user_id);
  const mine = await find('zebra', { as: world.as(token) });
  expect(mine.results.map(({ conversation }) => conversation.id)).toEqual([own]);
  expect((await find('zebra')).results).toHaveLength(3);
});

test('bad input finds nothing and changes nothing', async () => {
  for (const text of ["'); drop table x; --", '%', '_', '\\', '\u202e', '😀'.repeat(50), 'x'.repeat(100)])
    expect([text, (await find(text)).results]).toEqual([text, []]);
  expect((await caller.get('/v1/inbox_texts?text=a%00b&kind=message')).status).toBeLessThan(500);
  const { count } = await world.kernel.db.one<{ count: number }>(sql`select count(*) from conversation_texts`);
  expect(count).toBeGreaterThan(50);
});

test('conversations are found by the beginning of a contact name, even if the name is frequent', async () => {
  const first = 447410900000;
  const anna = Array.from({ length: 1_200 }, (_, n) => ({ number: String(first + n), first_name: 'Anna' }));
  const people = [...anna, { number: String(first + 1_200), first_name: 'Maria', last_name: 'Schmidt' }];
  await makeAudience(world.kernel, company.account_id, people);
  const make = (n: number) =>
    makeConversation(world.kernel, {
      account_id: company.account_id,
      sender_id,
      number: String(first + n),
      texts: ['a'],
    });
  const [oldest, newest, schmidt] = [await make(0), await make(1_199), await make(1_200)];
  const stranger = await make(1_201);
  const list = async (search: string) => {
    const { body } = await caller.get(`/v1/conversations?filter[search]=${encodeURIComponent(search)}`);
    return { ids: (body.data as { id: string }[]).map(({ id }) => id), total: body.pagination.total };
  };
  expect(await list('aNN')).toEqual({ ids: [newest, oldest], total: 2 });
  expect(await list('maria sch')).toEqual({ ids: [schmidt], total: 1 });
  expect(await list('schm')).toEqual({ ids: [schmidt], total: 1 });
  expect((await list('chmidt')).ids, 'only the beginning is in the index').toEqual([]);
  await world.kernel.db.run(sql`update conversations set profile_name = 'Joanna' where id = ${stranger}`);
  expect((await list('anna')).ids).toEqual([stranger, newest, oldest]);
  expect((await list('%')).ids).toEqual([]);
});

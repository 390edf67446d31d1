import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { measurePages } from '../test/growth/page_meter.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser, testNumber } from '../test/make.ts';
import { leaveTraces, type Trace } from '../test/people/traces.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let trace: Trace;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  trace = await leaveTraces(world, company, testNumber(50_000));
});
afterAll(() => world.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
type Entry = any;
const read = async (caller: Caller, query = '', number = trace.number) =>
  (await caller.get(`/v1/people/${number}/timeline?${query}`)).body;
const kinds = (body: { data: Entry[] }) => body.data.map(({ kind }: Entry) => kind);
const user = async (permissions: Record<string, number>) => {
  const made = await makeUser(world.kernel, company.account_id, { permissions });
  return { ...made, caller: world.as(made.token) };
};

test('the timeline has messages, clicks, consents, and notes, newest first', async () => {
  const body = await read(owner);
  expect(kinds(body)).toEqual(['click', 'message', 'consent', 'consent', 'note', 'message']);
  const [click, sent, stop, given, note, received] = body.data;
  expect(sent.message).toMatchObject({ direction: 'MT', campaign_id: trace.campaign_id, text: 'Hi zanzibar' });
  expect(sent.message.campaign_name).toMatch(/^Sale/);
  expect(received.message).toMatchObject({ direction: 'MO', conversation_id: trace.conversation_id });
  expect([stop.consent.change, given.consent.change]).toEqual(['withdrawn', 'given']);
  expect(note.note).toMatchObject({ text: 'Likes zanzibar', user_name: 'Test Person' });
  expect(click.click).toMatchObject({ kind: 'person', device: 'Phone', message_id: trace.sent_id });
  expect(body).toMatchObject({ hidden: [], pagination: { total: 6 } });
  expect((await owner.get(`/v1/people/${trace.person_id}/timeline`)).body.data).toEqual(body.data);
});

/** Follows the links of a list to its end, ten rows at a time. */
async function follow(path: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let token: string | null = '1'; token !== null; ) {
    const { body } = await owner.get(`${path}?page_size=10&page_token=${token}`);
    found.push(...body.data);
    const { next } = body.pagination.links;
    token = next ? new URL(next, 'http://x').searchParams.get('page_token') : null;
  }
  return found;
}

test('consecutive pages neither repeat nor miss entries', async () => {
  const number = testNumber(50_003);
  await leaveTraces(world, company, number);
  await world.kernel.db.run(sql`
    insert into consents (account_id, id, number, change, method, text, create_date)
    select ${company.account_id}, gen_random_uuid(), ${number}, 'given', 'manual', n::text,
      now() - n / 3 * interval '1 hour'
    from generate_series(0, 39) n`);
  const all = (await read(owner, 'page_size=100', number)).data;
  expect(all).toHaveLength(46);
  const times = all.flatMap(({ consent }: Entry) => consent?.create_date ?? []);
  expect(times).toEqual(times.toSorted().reverse());
  expect(await follow(`/v1/people/${number}/timeline`)).toEqual(all);
  const records = (await owner.get(`/v1/people/${number}/records?page_size=100`)).body.data;
  expect(await follow(`/v1/people/${number}/records`)).toEqual(records);
  expect((await read(owner, 'page=3&page_size=20', number)).data).toEqual(all.slice(40));
  expect(kinds(await read(owner, 'filter[kinds]=note,click'))).toEqual(['click', 'note']);
});

test('callers see only the messages and notes that the log and the inbox show them', async () => {
  const number = testNumber(50_001);
  const bea = await user({ AUDIENCES: 1, MESSAGES: 1 });
  const conversations: Record<string, string> = {};
  for (const [bucket, assignee_id] of Object.entries({ none: null, self: bea.user_id, others: company.user_id })) {
    const { sender_id } = await makeSender(world.kernel, company.account_id);
    const made = { account_id: company.account_id, sender_id, number, assignee_id, texts: [bucket] };
    conversations[bucket] = await makeConversation(world.kernel, made);
    await owner.post(`/v1/conversations/${conversations[bucket]}/notes`, { text: `note ${bucket}`, mentions: [] });
  }
  const texts = async (caller: Caller) => {
    const body = await read(caller, '', number);
    return [body.data.map(({ message, note }: Entry) => message?.text ?? note.text).sort(), body.hidden];
  };
  const all = ['none', 'note none', 'note others', 'note self', 'others', 'self'];
  expect(await texts(owner)).toEqual([all, []]);
  // The log shows all messages to Bea, but the inbox shows her only her own conversations.
  expect(await texts(bea.caller)).toEqual([
    ['none', 'note self', 'others', 'self'],
    ['click', 'note'],
  ]);
  const linked = (await read(bea.caller, 'filter[kinds]=message', number)).data;
  expect(linked.map(({ message }: Entry) => message.conversation_id)).toEqual([null, conversations.self, null]);
  const carl = await user({ AUDIENCES: 1, CONVERSATIONS: 1 });
  expect(await texts(carl.caller)).toEqual([
    ['none', 'note none'],
    ['message', 'click', 'note'],
  ]);
  const dora = await user({ AUDIENCES: 1 });
  expect(await texts(dora.caller)).toEqual([[], ['message', 'click', 'note']]);
  expect((await (await user({ MESSAGES: 15 })).caller.get(`/v1/people/${number}/timeline`)).status).toBe(403);
  const eve = await user({ AUDIENCES: 1, MESSAGES: 1, SHORT_URLS: 1 });
  const [{ message }] = (await read(eve.caller, 'filter[kinds]=message')).data;
  expect([message.campaign_id, message.campaign_name]).toEqual([trace.campaign_id, null]);
});

test('a page of the timeline reads few database pages, no matter how many messages there are', async () => {
  const { account_id, sender_id } = trace;
  const crowd = testNumber(50_002);
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, status, direction, source,
      country, currency, segments_count, encoding)
    select ${account_id}, (${newId().slice(0, 14)} || substr(gen_random_uuid()::text, 15))::uuid, ${sender_id},
      ${crowd}, 'A', ${crowd}, 'Hello', 'SMS', 'delivered', 'MT', 'api', 'GB', 'USD', 1, 'GSM-7'
    from generate_series(1, 20000) n`);
  await world.kernel.db.run(sql`analyze messages`);
  const meter = measurePages(world.kernel.db);
  const pages = async (number: string) => {
    meter.restart();
    await read(owner, 'page_size=20', number);
    const [keys] = [...meter.statements.values()].filter(({ text }) => text.includes('select key, id, kind from'));
    return keys!.pages;
  };
  expect(await pages(trace.number)).toBeLessThan(100);
  expect(await pages(crowd)).toBeLessThan(100);
  const { pagination } = await read(owner, 'page_size=20', crowd);
  expect(pagination).toMatchObject({ total: 10_000, total_is_estimate: true });
});

test('the records of a person list details, audiences, the stop list, and the timeline', async () => {
  const list = async (query: string) => (await owner.get(`/v1/people/${trace.number}/records?${query}`)).body;
  const all = await list('page_size=100');
  expect(all.data.slice(0, 3)).toMatchObject([
    { kind: 'detail', name: 'number', value: `+${trace.number}` },
    { kind: 'detail', name: 'country', value: 'GB' },
    { kind: 'detail', name: 'first_name', value: 'zanzibar' },
  ]);
  expect([...new Set(all.data.map(({ kind }: Entry) => kind))]).toEqual([
    ...['detail', 'audience', 'stop', 'click', 'message', 'consent', 'note'],
  ]);
});

test('the summary has audiences, consents, campaigns, and notes, as far as the caller may view them', async () => {
  const summary = async (caller: Caller, number = trace.number) =>
    (await caller.get(`/v1/people/${number}/summary`)).body.data;
  const all = await summary(owner);
  expect(all).toMatchObject({ number: trace.number, person_id: trace.person_id });
  expect(all.audiences).not.toHaveLength(0);
  expect(all.campaigns).toMatchObject([
    { id: trace.campaign_id, name: expect.stringMatching(/^Sale/), channel: 'SMS' },
  ]);
  expect(all.notes).toMatchObject([{ text: 'Likes zanzibar', conversation_id: trace.conversation_id }]);
  expect(all.consents.map(({ state }: Entry) => state)).toContain('withdrawn');
  expect(await summary(owner, trace.person_id)).toEqual(all);

  // The conversation belongs to no one, so a user who sees only their own does not see its note and its messages.
  const limited = await user({ AUDIENCES: 1, CAMPAIGNS: 1 });
  expect(await summary(limited.caller)).toMatchObject({ campaigns: [], notes: [] });
  const unpermitted = await user({ AUDIENCES: 1, MESSAGES: 1 });
  expect(await summary(unpermitted.caller)).toMatchObject({ campaigns: null });
  expect((await (await user({ MESSAGES: 1 })).caller.get(`/v1/people/${trace.number}/summary`)).status).toBe(403);

  const unknown = await summary(owner, testNumber(50_777));
  expect(unknown).toMatchObject({ person_id: null, audiences: [], consents: [], campaigns: [], notes: [] });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(await summary(stranger)).toMatchObject({ person_id: null, audiences: [], campaigns: [], notes: [] });
});

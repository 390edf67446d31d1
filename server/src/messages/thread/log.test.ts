import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { accept, applyStatuses } from '../messages.ts';

let world: World;
let company: Company;
let api: Caller;
let sender_id: string;
let ids: string[];
const campaign_id = newId();

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const { kernel } = world;
  await makeCarrier(kernel, { countries: ['GB', 'US'] });
  company = await makeCompany(kernel);
  ({ sender_id } = await makeSender(kernel, company.account_id, { code: '447400999999' }));
  api = world.as(company.token);
  const { account_id } = company;
  ids = await kernel.db.tx(async (tx) => {
    const { accepted } = await accept(tx, kernel, {
      ...{ account_id, channel: 'SMS', from: sender_id, source: 'campaign', refusal: 'throw', campaign_id },
      recipients: Array.from({ length: 24 }, (_, i) => ({ to: testNumber(i), country: 'GB', text: `Hello ${i}` })),
    });
    const single = await accept(tx, kernel, {
      ...{ account_id, channel: 'SMS', from: sender_id, source: 'api', refusal: 'throw' },
      recipients: [{ to: '12025550123', text: 'Hello over there' }],
    });
    const all = [...accepted, ...single.accepted].map((message) => message.id);
    await applyStatuses(
      tx,
      all.slice(0, 4).map((message_id) => ({ account_id, message_id, status: 'delivered', source: 'carrier' })),
    );
    await applyStatuses(tx, [
      { account_id, message_id: all[4]!, status: 'failed', source: 'carrier', failure: 'rejected', code: '9' },
    ]);
    await tx.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
        segments_count, encoding, currency, source)
      values (${account_id}, ${newId()}, 'MO', 'SMS', 'received', ${sender_id}, ${testNumber(0)}, '447400999999',
        ${testNumber(0)}, 'GB', 'Hi', 1, 'GSM-7', 'USD', 'phone')`);
    return all;
  });
});
afterAll(() => world.stop());

const list = (query: string) => api.get(`/v1/messages?${query}`);
const total = async (filter: string) => {
  const reply = await list(`page_size=100&${filter}`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.pagination.total).toBe(reply.body.data.length);
  return reply.body.data.length as number;
};

describe('the log', () => {
  test('lists the newest messages first, and following links.next returns every message exactly once', async () => {
    const listed: string[] = [];
    let path: string | null = '/v1/messages?page_size=10';
    while (path) {
      const { body } = await api.get(path);
      expect(body.pagination.total).toBe(26);
      listed.push(...body.data.map((message: { id: string }) => message.id));
      path = body.pagination.links.next;
    }
    expect(listed).toHaveLength(26);
    expect(listed).toEqual([...listed].sort().reverse());
    expect(new Set(listed).size).toBe(26);
    const third = (await list('page_size=10&page=3')).body;
    expect(third.data.map((message: { id: string }) => message.id)).toEqual(listed.slice(20));
    expect(third.pagination.links.next).toBeNull();
  });

  test.each([
    ['filter[statuses]=DELIVERED', 4],
    ['filter[statuses]=failed,delivered', 5],
    ['filter[statuses]=seen', 0],
    ['filter[direction]=mo', 1],
    ['filter[direction]=MT', 25],
    ['filter[countries]=us', 1],
    ['filter[source]=api', 1],
    ['filter[wa_categories]=marketing,UTILITY', 0],
    ['filter[networks]=unknown', 26],
    ['filter[networks]=23415', 0],
    [`filter[user_ids]=${campaign_id}`, 0],
    [`filter[key_ids]=${campaign_id}`, 0],
    ['filter[channel]=sms', 26],
    ['filter[channel]=VIBER', 0],
    ['filter[to]=%2B1 (202) 555-0123', 1],
    [`filter[to]=${testNumber(3)}`, 1],
    ['filter[to]=447400999999&filter[direction]=MO', 1],
    [`filter[from]=${testNumber(0)}`, 1],
    ['filter[from]=447400999999', 25],
    ['filter[to_prefix]=4474100000', 25],
    [`filter[to_prefix]=%2B${testNumber(0)}`, 2],
    ['filter[to_prefix]=1202', 1],
    ['filter[to_prefix]=9999', 0],
    ['filter[to_prefix]=Anna', 0],
    [`filter[campaign_ids]=${campaign_id}`, 24],
    ['filter[created_date_start]=2020-01-01 00:00:00', 26],
    ['filter[created_date_end]=2020-01-01 00:00:00', 0],
    ['filter[created_date_start]=9999-12-31 23:59:59', 0],
  ])('filters by %s', async (filter, expected) => {
    expect(await total(filter)).toBe(expected);
  });

  test('filters dates to the second', async () => {
    const { create_date } = (await api.get(`/v1/messages/${ids[0]}`)).body.data;
    expect(
      await total(`filter[created_date_start]=${create_date}&filter[created_date_end]=${create_date}`),
    ).toBeGreaterThan(0);
  });

  test.each([
    'filter[statuses]=flying',
    'filter[direction]=up',
    'filter[sender_ids]=7',
    'filter[channel]=pigeon',
    'filter[created_date_start]=0000-01-01 00:00:00',
    'page_token=2.nonsense',
    "page_token=1.'; drop table messages",
    'page=20000&page_size=100',
  ])('rejects the invalid parameter %s', async (query) => {
    const reply = await list(query);
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 1705]);
  });

  test('does not show messages to another account', async () => {
    const otherApi = world.as((await makeCompany(world.kernel)).token);
    expect((await otherApi.get('/v1/messages')).body.pagination.total).toBe(0);
    expect((await otherApi.get(`/v1/messages?filter[campaign_ids]=${campaign_id}`)).body.data).toEqual([]);
  });
});

test('a message’s detail names its sender, connection, and carrier ids', async () => {
  await world.kernel.db.run(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    select connection_id, 'carrier-1', account_id, id, 1, 1 from messages where account_id = ${company.account_id}
      and id = ${ids[4]!}`);
  const detail = (await api.get(`/v1/messages/${ids[4]}`)).body.data;
  expect(detail).toMatchObject({
    id: ids[4],
    status: 'failed',
    failure: 'rejected',
    carrier_code: '9',
    charge: 'released',
    sender_name: 'Sender 447400999999',
    connection_name: expect.stringContaining('Carrier'),
    external_ids: ['carrier-1'],
    possible_duplicate: false,
    hold_id: expect.any(String),
    expire_date: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
  });
  expect(detail.timeline.map((entry: { status: string }) => entry.status)).toEqual(['enroute', 'failed']);
});

test('a message’s detail links to the contact when the caller may view contacts', async () => {
  const { kernel } = world;
  const message = (await api.get(`/v1/messages/${ids[4]}`)).body.data;
  expect(message.contact).toBeNull();
  const audience = await api.post('/v1/audiences', { name: 'Regulars', channel: 'SMS' });
  const audience_id = audience.body.data.id;
  const contact = await api.post(`/v1/audiences/${audience_id}/contacts`, {
    number: message.to,
    first_name: 'Ada',
    last_name: 'Lund',
  });
  const expected = { id: contact.body.data.id, audience_id, name: 'Ada Lund' };
  expect((await api.get(`/v1/messages/${ids[4]}`)).body.data.contact).toEqual(expected);
  const reader = await makeUser(kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  expect((await world.as(reader.token).get(`/v1/messages/${ids[4]}`)).body.data.contact).toBeNull();
});

test('a message’s detail shows its consent, its clicks, and the replies before the next message', async () => {
  const { kernel } = world;
  const { account_id } = company;
  const to = '447400900777';
  const send = async () =>
    (await api.post('/v1/messages', { from: sender_id, to, channel: 'SMS', text: 'Hello' })).body.data[0].id as string;
  const write = (text: string) => {
    const id = newId();
    return kernel.db.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
        segments_count, encoding, currency, source)
      values (${account_id}, ${id}, 'MO', 'SMS', 'received', ${sender_id}, ${to}, '447400999999', ${to}, 'GB', ${text},
        1, 'GSM-7', 'USD', 'phone')`);
  };
  const id = await send();
  await write('Yes 👍');
  await write('At nine');
  const second = await send();
  await write('Later');
  const [link_id, consent_id] = [newId(), newId()];
  await kernel.db.tx(async (tx) => {
    await tx.run(sql`
      insert into links (account_id, id, url, source) values (${account_id}, ${link_id}, 'https://example.com/menu',
        'message')`);
    for (const [kind, message_id] of [
      ['person', id],
      ['bot', id],
      ['person', second],
    ])
      await tx.run(sql`
        insert into link_clicks (account_id, id, link_id, kind, is_unique, device, message_id, number, click_date)
        values (${account_id}, ${newId()}, ${link_id}, ${kind}, true, 'phone', ${message_id}, ${to}, now())`);
    await tx.run(sql`
      insert into consents (account_id, id, number, change, method, text, create_date)
      values (${account_id}, ${consent_id}, ${to}, 'given', 'form', 'Yes, send me news', now())`);
    await tx.run(sql`
      insert into message_consents (account_id, message_id, consent_id)
      values (${account_id}, ${id}, ${consent_id})`);
  });
  const detail = (await api.get(`/v1/messages/${id}`)).body.data;
  expect(detail.consent).toMatchObject({ id: consent_id, method: 'form', text: 'Yes, send me news' });
  expect(detail.clicks).toEqual([
    { link_id, url: 'https://example.com/menu', device: 'phone', click_date: expect.any(String) },
  ]);
  expect(detail.replies.map(({ text }: { text: string }) => text)).toEqual(['Yes 👍', 'At nine']);
  const next = (await api.get(`/v1/messages/${second}`)).body.data;
  expect([next.consent, next.clicks.length, next.replies.length]).toEqual([null, 1, 1]);
  const reader = await makeUser(kernel, account_id, { permissions: { MESSAGES: 1 } });
  expect((await world.as(reader.token).get(`/v1/messages/${id}`)).body.data).toMatchObject({
    ...{ consent: null, clicks: [] },
    replies: [{ text: 'Yes 👍' }, { text: 'At nine' }],
  });
});

test('the log counts to 10,000, and to the end when the caller asks for an exact count', async () => {
  const { kernel } = world;
  const large = await makeCompany(kernel);
  const sender = await makeSender(kernel, large.account_id, { code: '447400888888' });
  await kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
      segments_count, encoding, currency, source)
    select ${large.account_id}, gen_random_uuid(), 'MO', 'SMS', 'received', ${sender.sender_id}, n::text,
           '447400888888', n::text, 'GB', 'Hi', 1, 'GSM-7', 'USD', 'phone'
    from generate_series(447410000001, 447410010010) n`);
  const caller = world.as(large.token);
  const { pagination } = (await caller.get('/v1/messages')).body;
  expect([pagination.total, pagination.total_is_estimate]).toEqual([10_000, true]);
  const last = (await caller.get('/v1/messages?page=1001')).body.pagination;
  expect([last.total, last.total_is_estimate, last.links.next]).toEqual([10_010, undefined, null]);
  const exact = (await caller.get('/v1/messages?count=exact')).body.pagination;
  expect([exact.total, exact.total_is_estimate]).toEqual([10_010, undefined]);
  expect((await caller.get('/v1/messages?count=roughly')).status).toBe(400);
});

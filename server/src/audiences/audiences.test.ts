import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeAudience, makeCompany } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
  stranger = world.as((await makeCompany(world.kernel)).token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

const AUDIENCES = '/v1/audiences';
const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const eventsSince = async (since: string) =>
  (
    await world.kernel.db.rows<{ type: string; payload: Record<string, unknown> }>(
      sql`select type, payload from events where account_id = ${company.account_id} and id > ${since} order by id`,
    )
  ).map(({ type, payload }) => [type, payload.id, payload.contacts_count]);
const readCounts = (id: string) =>
  world.kernel.db.one<{ counted: number; stored: number }>(sql`
    select a.contacts_count as counted, (select count(*) from contacts c where c.audience_id = a.id) as stored
    from audiences a where a.id = ${id}`);

describe('audiences', () => {
  test('are created with one contact per number regardless of the number format', async () => {
    const lastEventId = newId();
    const reply = await owner.post(AUDIENCES, {
      name: '  Spring  ',
      channel: 'sms',
      contacts: [
        { number: '+1 (202) 555-0101', first_name: ' Ann ' },
        { number: '2025550101', first_name: 'Ann again' },
        { number: '+442079460958', last_name: 'Lee', custom1: 'one', custom2: 'two' },
      ],
    });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      name: 'Spring',
      channel: 'SMS',
      contacts_count: 2,
      account_id: company.account_id,
    });
    const { id } = reply.body.data;
    expect((await owner.get(`${AUDIENCES}/${id}`)).body.data).toEqual(reply.body.data);
    expect((await owner.get(`${AUDIENCES}/${id}/contacts`)).body).toMatchObject({
      data: [
        { number: '442079460958', country: 'GB', first_name: '', last_name: 'Lee', custom1: 'one', custom2: 'two' },
        { number: '12025550101', country: 'US', first_name: 'Ann', audience_id: id },
      ],
      pagination: { number: 1, size: 10, total: 2 },
    });
    expect(await eventsSince(lastEventId)).toEqual([['audience.created', id, 2]]);
    expect(await readCounts(id)).toEqual({ counted: 2, stored: 2 });
  });

  test('are created only once for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await owner.post(AUDIENCES, { name: 'Once', channel: 'SMS' }, headers);
    const second = await owner.post(AUDIENCES, { name: 'Once', channel: 'SMS' }, headers);
    expect(second.body).toEqual(first.body);
    expect((await owner.get(`${AUDIENCES}?filter[search]=once`)).body.pagination.total).toBe(1);
  });

  test('are listed newest first, paged, and searched by literal text in the name', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const caller = world.as(otherCompany.token);
    for (let index = 0; index < 13; index++)
      await makeAudience(world.kernel, otherCompany.account_id, [], `List ${index}`);
    await makeAudience(world.kernel, otherCompany.account_id, [], '100_sure');
    const first = (await caller.get(AUDIENCES)).body;
    expect(first.data.map((row: { name: string }) => row.name)).toEqual([
      '100_sure',
      ...Array.from({ length: 9 }, (_, index) => `List ${12 - index}`),
    ]);
    expect(first.pagination).toMatchObject({ total: 14, links: { previous: null } });
    const second = (await caller.get(first.pagination.links.next)).body;
    expect(second.data.map((row: { name: string }) => row.name)).toEqual(['List 3', 'List 2', 'List 1', 'List 0']);
    const search = async (text: string) =>
      (await caller.get(`${AUDIENCES}?page_size=20&filter[search]=${encodeURIComponent(text)}`)).body.data.length;
    expect([
      await search('LIST'),
      await search('t 1'),
      await search('_'),
      await search('%'),
      await search('nobody'),
    ]).toEqual([13, 4, 1, 0, 0]);
    expect((await caller.get(`${AUDIENCES}?filter[channel]=viber`)).body.pagination.total).toBe(0);
    expect((await caller.get(`${AUDIENCES}?filter[channel]=sms,viber&page_size=100`)).body.pagination.total).toBe(14);
  });

  test.each<[string, unknown, number, number]>([
    ['no name', {}, 400, 1303],
    ['a blank name', { name: '   ' }, 400, 1303],
    ['a name that is not a string', { name: 7 }, 400, 1303],
    ['a reserved name', { name: 'Audience-12' }, 400, 1304],
    ['characters that are not allowed', { name: 'a/b' }, 400, 1304],
    ['a 46-character name', { name: 'x'.repeat(46) }, 400, 1305],
    ['no channel', { name: 'Ok' }, 400, 1306],
    ['an unknown channel', { name: 'Ok', channel: 'fax' }, 400, 1307],
    [
      'more than 1,000 contacts',
      { name: 'Ok', channel: 'SMS', contacts: Array.from({ length: 1_001 }, () => ({ number: '1' })) },
      400,
      1308,
    ],
    ['a contact without a number', { name: 'Ok', channel: 'SMS', contacts: [{ first_name: 'Ann' }] }, 400, 1353],
    [
      'a contact with an invalid number',
      { name: 'Ok', channel: 'SMS', contacts: [{ number: '+12025550101' }, { number: '12' }] },
      400,
      1354,
    ],
    ['a NUL byte in its name', { name: 'a\0b' }, 400, 1705],
  ])('are rejected when created with %s', async (_, data, status, expected) => {
    const before = (await owner.get(AUDIENCES)).body.pagination.total;
    const reply = await owner.post(AUDIENCES, data);
    expect([reply.status, code(reply)]).toEqual([status, expected]);
    expect((await owner.get(AUDIENCES)).body.pagination.total).toBe(before);
  });

  test('have a name in any script that is unique in the account regardless of case', async () => {
    expect((await owner.post(AUDIENCES, { name: 'Ընկերներ 2', channel: 'SMS' })).status).toBe(201);
    await owner.post(AUDIENCES, { name: 'Unique', channel: 'SMS' });
    expect(code(await owner.post(AUDIENCES, { name: 'UNIQUE', channel: 'SMS' }))).toBe(1309);
    expect((await stranger.post(AUDIENCES, { name: 'Unique', channel: 'SMS' })).status).toBe(201);
    const replies = await Promise.all([
      owner.post(AUDIENCES, { name: 'Race', channel: 'SMS' }),
      owner.post(AUDIENCES, { name: 'race', channel: 'SMS' }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('can be renamed unless the new name is taken or invalid', async () => {
    const id = await makeAudience(world.kernel, company.account_id, [], 'Before');
    await makeAudience(world.kernel, company.account_id, [], 'Adjacent');
    const lastEventId = newId();
    expect((await owner.put(`${AUDIENCES}/${id}`, { name: 'After' })).body.data).toMatchObject({ id, name: 'After' });
    expect(await eventsSince(lastEventId)).toEqual([['audience.updated', id, 0]]);
    expect((await owner.put(`${AUDIENCES}/${id}`, { name: 'after' })).status).toBe(200);
    expect(code(await owner.put(`${AUDIENCES}/${id}`, { name: 'adjacent' }))).toBe(1309);
    expect(code(await owner.put(`${AUDIENCES}/${id}`, { name: '' }))).toBe(1303);
    expect(code(await owner.put(`${AUDIENCES}/7`, { name: 'After' }))).toBe(1302);
    expect(code(await owner.put(`${AUDIENCES}/${newId()}`, { name: 'Elsewhere' }))).toBe(1301);
  });

  test('are deleted with their contacts unless a campaign needs them', async () => {
    const id = await makeAudience(world.kernel, company.account_id, [{ number: '447410000001' }]);
    const campaign = async (status: string) =>
      world.kernel.db.run(sql`
        insert into campaigns (account_id, id, name, channel, audience_id, status) values (${company.account_id},
          ${newId()}, ${newId()}, 'SMS', ${id}, ${status})`);
    for (const status of ['scheduled', 'in_progress', 'paused']) {
      await campaign(status);
      expect(code(await owner.delete(`${AUDIENCES}/${id}`))).toBe(1319);
      await world.kernel.db.run(sql`delete from campaigns where audience_id = ${id}`);
    }
    await campaign('completed');
    const lastEventId = newId();
    expect(code(await stranger.delete(`${AUDIENCES}/${id}`))).toBe(1301);
    expect((await owner.delete(`${AUDIENCES}/${id}`)).status).toBe(204);
    expect(code(await owner.delete(`${AUDIENCES}/${id}`))).toBe(1301);
    expect(
      (await world.kernel.db.one<{ count: number }>(sql`select count(*) from contacts where audience_id = ${id}`))
        .count,
    ).toBe(0);
    expect(await eventsSince(lastEventId)).toEqual([['audience.deleted', id, undefined]]);
  });
});

describe('contacts', () => {
  let id: string;
  let path: string;
  beforeAll(async () => {
    id = await makeAudience(world.kernel, company.account_id, [
      { number: '12025550100', first_name: 'Ann', last_name: 'Lee' },
      { number: '12025550199', first_name: 'Bo', last_name: '100%' },
      { number: '442079460958', first_name: 'Zoë', last_name: 'Ann Marsh' },
    ]);
    path = `${AUDIENCES}/${id}/contacts`;
  });

  test('can be added, changed, and removed, which updates the count', async () => {
    const lastEventId = newId();
    const creation = await owner.post(path, { number: '202 555 0155', first_name: 'New', custom2: 'x'.repeat(70) });
    expect(creation.status).toBe(201);
    expect(creation.body.data).toMatchObject({
      number: '12025550155',
      country: 'US',
      first_name: 'New',
      audience_id: id,
    });
    const contactPath = `${path}/${creation.body.data.id}`;
    const update = await owner.put(contactPath, { last_name: 'Name', custom2: '' });
    expect(update.body.data).toMatchObject({
      number: '12025550155',
      first_name: 'New',
      last_name: 'Name',
      custom2: '',
    });
    expect((await owner.get(`${AUDIENCES}/${id}`)).body.data.contacts_count).toBe(4);
    expect((await owner.delete(contactPath)).status).toBe(204);
    expect(code(await owner.delete(contactPath))).toBe(1351);
    expect(code(await owner.put(contactPath, {}))).toBe(1351);
    expect(await readCounts(id)).toEqual({ counted: 3, stored: 3 });
    expect(await eventsSince(lastEventId)).toEqual([
      ['audience.updated', id, 4],
      ['audience.updated', id, 4],
      ['audience.updated', id, 3],
    ]);
  });

  test.each<[string, unknown, number]>([
    ['no number', { first_name: 'Ann' }, 1353],
    ['an empty number', { number: ' ' }, 1353],
    ['an invalid number', { number: '+1 202 555' }, 1354],
    ['a number that is too long', { number: '1'.repeat(46) }, 1355],
    ['an existing number', { number: '+12025550100' }, 1360],
    ['a first name that is too long', { number: '+12025550111', first_name: 'x'.repeat(33) }, 1361],
    ['a last name that is too long', { number: '+12025550111', last_name: 'x'.repeat(33) }, 1362],
    ['a custom1 value that is too long', { number: '+12025550111', custom1: 'x'.repeat(33) }, 1363],
    ['a custom2 value that is too long', { number: '+12025550111', custom2: 'x'.repeat(71) }, 1364],
  ])('are rejected when added with %s', async (_, data, expected) => {
    expect(code(await owner.post(path, data))).toBe(expected);
    expect(await readCounts(id)).toEqual({ counted: 3, stored: 3 });
  });

  test('are not found in an unknown audience or another account', async () => {
    expect(code(await owner.get(`${AUDIENCES}/${newId()}/contacts`))).toBe(1301);
    expect(code(await owner.get(`${AUDIENCES}/7/contacts`))).toBe(1302);
    expect(code(await stranger.get(path))).toBe(1301);
    expect(code(await stranger.post(path, { number: '+12025550111' }))).toBe(1301);
    expect(code(await owner.put(`${path}/7`, {}))).toBe(1352);
    expect(code(await owner.put(`${path}/${newId()}`, { first_name: 'x'.repeat(33) }))).toBe(1361);
  });

  test('are found by the start of a number or any part of a name', async () => {
    const search = async (text: string) =>
      ((await owner.get(`${path}?filter[search]=${encodeURIComponent(text)}`)).body.data as { number: string }[])
        .map((row) => row.number)
        .sort();
    expect(await search('1202')).toEqual(['12025550100', '12025550199']);
    expect(await search('+1 (202) 555-0199')).toEqual(['12025550199']);
    expect(await search('5550')).toEqual([]);
    expect(await search('ann')).toEqual(['12025550100', '442079460958']);
    expect(await search('ann lee')).toEqual(['12025550100']);
    expect(await search('ZOË')).toEqual(['442079460958']);
    expect(await search('100%')).toEqual(['12025550199']);
    expect(await search('%')).toEqual(['12025550199']);
    expect((await owner.get(`${path}?filter[search]=ann&page_size=10`)).body.pagination.total).toBe(2);
  });

  test('are neither skipped nor repeated across pages while others are added', async () => {
    const contacts = Array.from({ length: 45 }, (_, index) => ({
      number: `4474100010${String(index).padStart(2, '0')}`,
    }));
    const audience = await makeAudience(world.kernel, company.account_id, contacts);
    const listed: string[] = [];
    let next: string | null = `${AUDIENCES}/${audience}/contacts?page_size=20`;
    while (next) {
      const { data, pagination }: { data: { number: string }[]; pagination: { links: { next: string | null } } } = (
        await owner.get(next)
      ).body;
      listed.push(...data.map((row) => row.number));
      next = pagination.links.next;
      await owner.post(`${AUDIENCES}/${audience}/contacts`, {
        number: `+447410002${String(listed.length).padStart(3, '0')}`,
      });
    }
    expect(listed).toEqual(contacts.map((row) => row.number).reverse());
    const second = (await owner.get(`${AUDIENCES}/${audience}/contacts?page=2&page_size=20`)).body;
    expect(second.data).toHaveLength(20);
    expect(second.pagination.total).toBe(48);
  });

  test('are counted exactly after thirty concurrent changes', async () => {
    const audience = await makeAudience(world.kernel, company.account_id, []);
    const contacts = `${AUDIENCES}/${audience}/contacts`;
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const reply = await owner.post(contacts, { number: `+44741000${String(3_000 + (index % 20))}` });
        if (reply.status === 201 && index % 2) await owner.delete(`${contacts}/${reply.body.data.id}`);
      }),
    );
    const { counted, stored } = await readCounts(audience);
    expect(counted).toBe(stored);
    expect(stored).toBeGreaterThan(5);
  });
});

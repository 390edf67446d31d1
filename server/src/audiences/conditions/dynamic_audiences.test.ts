import type { ConditionGroup } from '@parley/contract/audiences/conditions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeAudience, makeCompany, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let api: Caller;
let account_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const company = await makeCompany(world.kernel);
  account_id = company.account_id;
  api = world.as(company.token);
});
afterAll(async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  await world.stop();
});

const isTagged = (tag: string): ConditionGroup => ({
  match: 'all',
  conditions: [{ subject: 'tags', operator: 'has_any', value: [tag] }],
});
const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
const addPeople = async (from: number, count: number, tag: string) => {
  for (let index = from; index < from + count; index++)
    expect((await api.post('/v1/people', { number: `+${testNumber(index)}`, tags: [tag] })).status).toBe(201);
};
const create = async (name: string, conditions: unknown) =>
  api.post('/v1/audiences', { name, channel: 'SMS', conditions });

test('a dynamic audience lists, finds, and counts the people that match', async () => {
  await addPeople(100, 3, 'gold');
  await addPeople(110, 2, 'other');
  const { body, status } = await create('Gold', isTagged('GOLD'));
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ contacts_count: 3, conditions: isTagged('GOLD') });
  const contacts = `/v1/audiences/${body.data.id}/contacts`;
  const page = await api.get(`${contacts}?sort=number`);
  expect(page.body.data.map(({ number }: { number: string }) => number)).toEqual([100, 101, 102].map(testNumber));
  expect(page.body.pagination.total).toBe(3);
  const [first] = page.body.data;
  expect(first).toMatchObject({ audience_id: body.data.id, tags: ['gold'] });
  expect((await api.get(`${contacts}/${first.id}`)).body.data).toMatchObject({ number: first.number });
  expect((await api.get(`${contacts}?filter[search]=${testNumber(102)}`)).body.data).toHaveLength(1);
  expect((await api.post('/v1/audience_counts', { conditions: isTagged('gold') })).body.data).toEqual({
    count: 3,
    is_estimate: false,
  });
  await addPeople(103, 1, 'gold');
  expect((await api.get(contacts)).body.data).toHaveLength(4);
});

test('contacts cannot be added to a dynamic audience, changed in it, or removed from it', async () => {
  const { body } = await create('Gold only', isTagged('gold'));
  const contacts = `/v1/audiences/${body.data.id}/contacts`;
  const [{ id }] = (await api.get(contacts)).body.data;
  for (const reply of [
    await api.post(contacts, { number: `+${testNumber(1)}` }),
    await api.put(`${contacts}/${id}`, { first_name: 'Ann' }),
    await api.delete(`${contacts}/${id}`),
    await api.post('/v1/audiences', {
      ...{ name: 'Both', channel: 'SMS', conditions: isTagged('gold') },
      contacts: [{ number: `+${testNumber(1)}` }],
    }),
  ])
    expect(code(reply)).toBe(2313);
});

test('the conditions of a dynamic audience can be changed, and a fixed audience cannot get any', async () => {
  const { body } = await create('Changing', isTagged('gold'));
  const path = `/v1/audiences/${body.data.id}`;
  const changed = await api.put(path, { name: 'Changed', conditions: isTagged('other') });
  expect(changed.body.data).toMatchObject({ name: 'Changed', conditions: isTagged('other'), contacts_count: 2 });
  // Calls without conditions keep working.
  expect((await api.put(path, { name: 'Renamed' })).body.data).toMatchObject({ conditions: isTagged('other') });
  const fixed = await makeAudience(world.kernel, account_id, []);
  expect(code(await api.put(`/v1/audiences/${fixed}`, { name: 'Fixed', conditions: isTagged('gold') }))).toBe(2314);
});

test('invalid conditions are refused with the code of the rule and the place of the condition', async () => {
  const valid = isTagged('gold').conditions[0]!;
  const dynamic = (await create('Nested', isTagged('gold'))).body.data.id;
  const stranger = await makeCompany(world.kernel);
  const foreign = await makeAudience(world.kernel, stranger.account_id, []);
  const cases: [unknown, number][] = [
    [{ match: 'all', conditions: [] }, 2309],
    [{ match: 'all', conditions: [{ match: 'any', conditions: [] }] }, 2309],
    [{ match: 'some', conditions: [valid] }, 2310],
    [{ match: 'all', conditions: [{ ...valid, operator: 'in_last_days', value: 3 }] }, 2310],
    [{ match: 'all', conditions: [{ ...valid, value: [] }] }, 2310],
    [{ match: 'all', conditions: [{ subject: '__proto__', operator: 'is', value: 'x' }] }, 2310],
    [{ match: 'all', conditions: [{ subject: 'country', operator: 'is_one_of', value: ['ZZ'] }] }, 2310],
    [{ match: 'all', conditions: [{ subject: 'consent', operator: 'given', value: 'marketing' }] }, 2310],
    [{ match: 'all', conditions: [{ subject: 'message_read', operator: 'in_last_days', value: 0 }] }, 2310],
    [{ match: 'all', conditions: Array.from({ length: 51 }, () => valid) }, 2311],
    [
      {
        match: 'all',
        conditions: Array.from({ length: 3 }, () => ({ match: 'any', conditions: Array(20).fill(valid) })),
      },
      2311,
    ],
    [{ match: 'all', conditions: [{ subject: 'audiences', operator: 'in_any', value: [foreign] }] }, 2312],
    [{ match: 'all', conditions: [{ subject: 'audiences', operator: 'in_any', value: [dynamic] }] }, 2312],
    [{ match: 'all', conditions: [{ subject: 'fields.nothing', operator: 'is', value: 'x' }] }, 2380],
  ];
  for (const [conditions, expected] of cases) {
    expect(code(await create('Refused', conditions)), JSON.stringify(conditions).slice(0, 200)).toBe(expected);
    expect(code(await api.post('/v1/audience_counts', { conditions }))).toBe(expected);
  }
  const second = { match: 'all', conditions: [valid, { ...valid, value: [] }] };
  expect((await create('Refused', second)).body.errors[0].field).toBe('conditions.conditions.1');
});

test('a field or an audience that conditions use cannot be deleted', async () => {
  const { body: field } = await api.post('/v1/contact_fields', { key: 'city', label: 'City', kind: 'text' });
  const list = await makeAudience(world.kernel, account_id, []);
  const { body } = await create('Used', {
    match: 'any',
    conditions: [
      { subject: 'fields.city', operator: 'is', value: 'Bern' },
      { subject: 'audiences', operator: 'in_any', value: [list.toUpperCase()] },
    ],
  });
  expect(code(await api.delete(`/v1/contact_fields/${field.data.id}`))).toBe(2316);
  expect(code(await api.delete(`/v1/audiences/${list}`))).toBe(2315);
  expect((await api.delete(`/v1/audiences/${body.data.id}`)).status).toBe(204);
  expect((await api.delete(`/v1/contact_fields/${field.data.id}`)).status).toBe(204);
  expect((await api.delete(`/v1/audiences/${list}`)).status).toBe(204);
});

test('a dynamic audience sees neither the people nor the audiences of another account', async () => {
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.post('/v1/audience_counts', { conditions: isTagged('gold') })).body.data.count).toBe(0);
  const { body } = await create('Private', isTagged('gold'));
  expect((await stranger.get(`/v1/audiences/${body.data.id}/contacts`)).status).toBe(404);
  expect(
    await world.kernel.db.rows(
      sql`select 1 from audiences where account_id <> ${account_id} and conditions is not null`,
    ),
  ).toEqual([]);
});

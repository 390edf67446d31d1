import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeAudience, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../../test/world.ts';
import { moveContacts } from '../audiences.ts';
import { fillPeople } from './fill.ts';

let world: World;
let company: Company;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'all' });
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
  stranger = world.as((await makeCompany(world.kernel)).token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const addField = async (key: string, kind: string, choices: string[] = []) =>
  (await owner.post('/v1/contact_fields', { key, label: key, kind, choices })).body.data;
const person = async (number: string) => (await owner.get(`/v1/people/${number}`)).body.data;

describe('fields of the account', () => {
  test.each<[string, unknown, number]>([
    ['a built-in name', { key: 'first_name', label: 'x', kind: 'text' }, 2381],
    ['capital letters', { key: 'City', label: 'x', kind: 'text' }, 2381],
    ['no label', { key: 'a', label: ' ', kind: 'text' }, 2382],
    ['no choices', { key: 'a', label: 'x', kind: 'choice' }, 2383],
    ['repeated choices', { key: 'a', label: 'x', kind: 'choice', choices: ['A', 'a'] }, 2383],
    ['choices of another kind', { key: 'a', label: 'x', kind: 'text', choices: ['A'] }, 2383],
  ])('are rejected with %s', async (_, body, expected) => {
    expect(code(await owner.post('/v1/contact_fields', body))).toBe(expected);
  });

  test('are listed, renamed, and unique by key', async () => {
    const field = await addField('plan', 'choice', ['Free', 'Pro']);
    expect(code(await owner.post('/v1/contact_fields', { key: 'plan', label: 'Plan', kind: 'text' }))).toBe(2384);
    expect((await stranger.get('/v1/contact_fields')).body.data).toEqual([]);
    const path = `/v1/contact_fields/${field.id}`;
    expect((await owner.put(path, { label: 'Plan', choices: ['Free'] })).body.data).toMatchObject({
      choices: ['Free'],
    });
    expect(code(await owner.put(path, { choices: [] }))).toBe(2383);
    expect(code(await stranger.put(path, { label: 'Mine' }))).toBe(2380);
  });

  test('lose their values when they are deleted', async () => {
    const field = await addField('shoe_size', 'number');
    await owner.post('/v1/people', { number: '+12025550170', fields: { shoe_size: '42' } });
    expect((await person('12025550170')).fields).toEqual({ shoe_size: 42 });
    expect((await owner.delete(`/v1/contact_fields/${field.id}`)).status).toBe(204);
    await until('the value is removed', async () => !('shoe_size' in (await person('12025550170')).fields));
  });
});

describe('a person', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    await addField('visits', 'number');
    await addField('born', 'date');
    await addField('vip', 'boolean');
    first = await makeAudience(world.kernel, company.account_id, [{ number: '12025550101', first_name: 'Ann' }]);
    second = await makeAudience(world.kernel, company.account_id, [{ number: '12025550101', last_name: 'Lee' }]);
  });

  test('is the same in all audiences and has the latest texts', async () => {
    const shown = await person('12025550101');
    expect(shown).toMatchObject({ first_name: 'Ann', last_name: 'Lee', country: 'GB', tags: [], fields: {} });
    expect(shown.audiences.map(({ id }: { id: string }) => id).sort()).toEqual([first, second].sort());
    const contacts = async (audience: string) => (await owner.get(`/v1/audiences/${audience}/contacts`)).body.data;
    const [one] = await contacts(first);
    const [other] = await contacts(second);
    expect([one.person_id, other.person_id]).toEqual([shown.id, shown.id]);
    await owner.put(`/v1/audiences/${first}/contacts/${one.id}`, {
      first_name: 'Anna',
      tags: ['VIP', 'vip', 'News'],
      fields: { visits: '7', born: '1990-02-28', vip: 'yes' },
      language: 'pt-BR',
      timezone: 'Europe/Berlin',
    });
    const facts = {
      tags: ['vip', 'News'],
      fields: { visits: 7, born: '1990-02-28', vip: true },
      language: 'pt-BR',
      timezone: 'Europe/Berlin',
    };
    expect((await contacts(second))[0]).toMatchObject({ first_name: '', ...facts });
    expect(await person('12025550101')).toMatchObject({ first_name: 'Anna', last_name: 'Lee', ...facts });
    const update = await owner.put(`/v1/people/${shown.id}`, { first_name: 'Annie', last_name: '' });
    expect(update.body.data).toMatchObject({ first_name: 'Annie', last_name: '', ...facts });
    expect((await contacts(second))[0]).toMatchObject({ first_name: 'Annie', last_name: '' });
  });

  test.each<[string, Record<string, unknown>, number]>([
    ['eleven tags', { tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, 1359],
    ['a tag with a comma', { tags: ['a,b'] }, 2388],
    ['an unknown field', { fields: { nothing: 'x' } }, 2380],
    ['a text in a field for numbers', { fields: { visits: 'many' } }, 2386],
    ['a date that does not exist', { fields: { born: '2027-02-30' } }, 2386],
    ['a date in a year that does not exist', { fields: { born: '0000-02-28' } }, 2386],
    ['an invalid language', { language: 'English please' }, 2389],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 2390],
  ])('refuses %s in every call', async (_, input, expected) => {
    expect(code(await owner.put('/v1/people/12025550101', input))).toBe(expected);
    const contact = { number: '+12025550109', ...input };
    expect(code(await owner.post(`/v1/audiences/${first}/contacts`, contact))).toBe(expected);
    expect(code(await owner.post('/v1/audiences', { name: 'Refused', channel: 'SMS', contacts: [contact] }))).toBe(
      expected,
    );
  });

  test('can keep a text of an earlier field that looks like a date', async () => {
    const { db } = world.kernel;
    const { id } = (await owner.post('/v1/people', { number: '+12025550161', tags: ['kept'] })).body.data;
    for (const text of ['2027-02-30', '0000-01-01', '1900-02-29', '٢٠٢٧-٠١-٣١', '2028-02-29']) {
      await db.run(sql`
        update people set fields = ${JSON.stringify({ born: text })}::jsonb
        where account_id = ${company.account_id} and id = ${id}`);
      const dates = await db.rows(sql`
        select date::text from person_dates where account_id = ${company.account_id} and person_id = ${id}`);
      expect(dates).toEqual(text === '2028-02-29' ? [{ date: text }] : []);
    }
  });

  test('keeps its tags and gets those of a new contact', async () => {
    const audience = await makeAudience(world.kernel, company.account_id, []);
    const add = (tags: string[]) =>
      owner.post(`/v1/audiences/${audience}/contacts`, { number: '+12025550101', tags, fields: { visits: 8 } });
    expect(code(await add(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']))).toBe(1359);
    expect((await owner.get(`/v1/audiences/${audience}/contacts`)).body.data).toEqual([]);
    expect((await add(['NEWS', 'Spring'])).body.data).toMatchObject({ tags: ['vip', 'News', 'Spring'] });
    expect((await person('12025550101')).fields).toMatchObject({ visits: 8, vip: true });
  });

  test('is kept while it is in an audience or has facts', async () => {
    const number = '12025550120';
    const one = await makeAudience(world.kernel, company.account_id, [{ number }]);
    const other = await makeAudience(world.kernel, company.account_id, [{ number }]);
    await owner.delete(`/v1/audiences/${one}`);
    expect((await person(number)).audiences).toHaveLength(1);
    await owner.delete(`/v1/audiences/${other}`);
    expect(code(await owner.get(`/v1/people/${number}`))).toBe(2391);
    const third = await makeAudience(world.kernel, company.account_id, [{ number }]);
    await owner.put(`/v1/people/${number}`, { tags: ['Regular'] });
    await owner.delete(`/v1/audiences/${third}`);
    expect(await person(number)).toMatchObject({ tags: ['Regular'], audiences: [] });
  });

  test('is found by number, name, and tag, and only in its own account', async () => {
    expect(code(await owner.post('/v1/people', { number: '202 555 0101' }))).toBe(2392);
    const created = await owner.post('/v1/people', { number: '202 555 0130', first_name: 'Zoë', tags: ['Walk-in'] });
    expect(created.status).toBe(201);
    const found = async (filter: string) =>
      (await owner.get(`/v1/people?${filter}`)).body.data.map(({ number }: { number: string }) => number);
    expect(await found('filter[search]=zo%C3%AB')).toEqual(['12025550130']);
    expect(await found('filter[search]=%2B1 202 555 0130')).toEqual(['12025550130']);
    expect(await found('filter[tag]=Walk-in')).toEqual(['12025550130']);
    expect(code(await stranger.get(`/v1/people/${created.body.data.id}`))).toBe(2391);
    expect(code(await stranger.put('/v1/people/12025550130', { tags: [] }))).toBe(2391);
  });

  test('keeps its facts when its number changes', async () => {
    const { account_id } = company;
    await owner.put('/v1/people/12025550101', { tags: ['Loyal'] });
    await world.kernel.db.tx((tx) =>
      moveContacts(tx, account_id, '12025550101', { number: '12025550102', country: 'US' }),
    );
    expect(await person('12025550102')).toMatchObject({ tags: ['Loyal'], country: 'US' });
    expect(code(await owner.get('/v1/people/12025550101'))).toBe(2391);
  });
});

test('contacts created before people existed get a person with the latest texts', async () => {
  const { db } = world.kernel;
  const old = await makeCompany(world.kernel);
  const people = Array.from({ length: 12 }, (_, n) => ({ number: `4474100044${String(n).padStart(2, '0')}` }));
  await makeAudience(world.kernel, old.account_id, people);
  await makeAudience(world.kernel, old.account_id, [{ number: people[3]!.number, first_name: 'Latest' }]);
  await db.run(sql`delete from people where account_id = ${old.account_id}`);
  await db.run(sql`insert into people_fills (account_id) values (${old.account_id})`);
  await fillPeople(world.kernel, {}, new AbortController().signal);
  const rows = await db.rows<{ first_name: string }>(
    sql`select first_name from people where account_id = ${old.account_id}`,
  );
  expect(rows).toHaveLength(12);
  expect(rows.filter(({ first_name }) => first_name === 'Latest')).toHaveLength(1);
  expect(await db.rows(sql`select from people_fills where account_id = ${old.account_id}`)).toEqual([]);
});

test('a campaign fills the fields of each person, and refuses fields that do not exist', async () => {
  const audience = await makeAudience(world.kernel, company.account_id, [{ number: '447410004501' }]);
  await owner.put('/v1/people/447410004501', { fields: { visits: 3 } });
  const sample = (text: string) => owner.post('/v1/campaign_samples', { audience, text, offset: 0, size: 1 });
  const samples = (await sample('{visits} visits, {born:unknown}, {nothing}')).body.data;
  expect(samples.samples[0].text).toBe('3 visits, unknown, {nothing}');
  const preview = await owner.post('/v1/campaign_previews', { channel: 'SMS', audience, text: '{visits} {nothing}' });
  expect(preview.body.data.blockers).toMatchObject([
    expect.anything(),
    { code: 'unknown_variables', message: 'Unknown variable {nothing}' },
  ]);
});

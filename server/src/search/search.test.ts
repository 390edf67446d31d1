import type { SearchResult } from '@parley/contract/search/search.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeAudience, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { makeTemplate } from '../test/templates.ts';
import { createWorld, type World } from '../test/world.ts';
import { findRecords, readText } from './queries.ts';

let world: World;
let company: Company;
let stranger: Company;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  stranger = await makeCompany(world.kernel);
  for (const { account_id, user_id } of [company, stranger]) {
    const { sender_id } = await makeSender(world.kernel, account_id, { name: 'Spring desk' });
    const audience = await makeAudience(world.kernel, account_id, [
      { number: '447410000123', first_name: 'Ann', last_name: 'Springer' },
      { number: '447410000124', first_name: 'Bo', last_name: 'Nils_on' },
    ]);
    await world.kernel.db.run(sql`update audiences set name = 'Spring customers' where id = ${audience}`);
    const template = await makeTemplate(world.kernel, account_id);
    await world.kernel.db.run(sql`update templates set name = 'spring_sale' where id = ${template}`);
    const [campaign, conversation, message] = [newId(), newId(), newId()];
    await world.kernel.db.run(sql`
      insert into campaigns (account_id, id, name, channel, status)
      values (${account_id}, ${campaign}, 'Our spring sale', 'SMS', 'completed'),
             (${account_id}, ${newId()}, 'Spring again', 'SMS', 'completed')`);
    await world.kernel.db.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, timestamp, assignee_id, profile_name)
      values (${account_id}, ${conversation}, 'SMS', ${sender_id}, '447410000123', now(), null, ''),
             (${account_id}, ${newId()}, 'SMS', ${sender_id}, '447410000125', now(), ${user_id}, 'Ola Spring'),
             (${account_id}, ${newId()}, 'SMS', ${sender_id}, '447410000126', now(), ${newId()}, 'Per Spring')`);
    await world.kernel.db.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                            segments_count, encoding, currency, source)
      select ${account_id}, id, 'MT', 'SMS', 'sent', ${sender_id}, '1', number, number, 'GB', 'Sale today', 1, 'GSM-7',
             'USD', 'api'
      from (values (${message}::uuid, '447410000123'), (${newId()}::uuid, '447410000123'),
                   (${newId()}::uuid, '447419999999')) m(id, number)`);
    if (account_id === company.account_id)
      Object.assign(ids, { audience, template, campaign, conversation, message, sender: sender_id });
  }
});
afterAll(() => world.stop());

const find = async (text: string, token = company.token): Promise<SearchResult[]> =>
  (await world.as(token).get(`/v1/search?text=${encodeURIComponent(text)}`)).body.data;
const titles = (results: readonly SearchResult[]) => results.map(({ kind, title }) => `${kind}: ${title}`);

test('a search finds records of every kind by name, those that begin with the text first', async () => {
  const results = await find('spring');
  expect(titles(results).sort()).toEqual([
    'audience: Spring customers',
    'campaign: Our spring sale',
    'campaign: Spring again',
    'contact: Ann Springer',
    'conversation: Ann Springer',
    'conversation: Ola Spring',
    'conversation: Per Spring',
    'sender: Spring desk',
    'template: spring_sale',
  ]);
  expect(titles(results.filter(({ kind }) => kind === 'campaign'))[0]).toBe('campaign: Spring again');
  const own = Object.values(ids);
  for (const { kind, id } of results.filter(({ title }) => title !== 'Spring again' && !title.includes(' Spring')))
    if (kind !== 'contact') expect(own).toContain(id);
});

test('a search finds names that contain every word, in any case', async () => {
  expect(titles(await find('SALE our'))).toEqual(['campaign: Our spring sale']);
  expect(titles(await find('ann spr'))).toEqual(['conversation: Ann Springer', 'contact: Ann Springer']);
});

test('a search takes the wildcards of SQL literally', async () => {
  expect(titles(await find('nils_'))).toEqual(['contact: Bo Nils_on']);
  expect(await find('nils%')).toEqual([]);
  expect(titles(await find('spring_'))).toEqual(['template: spring_sale']);
});

test('a search finds contacts, conversations, senders, and messages by the first digits of a number', async () => {
  const results = await find('+44 7410 000-12');
  expect(titles(results).sort()).toEqual([
    'contact: Ann Springer',
    'contact: Bo Nils_on',
    'conversation: Ann Springer',
    'conversation: Ola Spring',
    'conversation: Per Spring',
    'number: +447410000123',
  ]);
  expect(results.find(({ kind }) => kind === 'contact')).toMatchObject({
    number: '447410000123',
    audience_id: ids.audience,
  });
  expect(titles(await find('44741')).filter((title) => title.startsWith('number'))).toEqual([
    'number: +447410000123',
    'number: +447419999999',
  ]);
  expect(await find('999999')).toEqual([]);
});

test('a search finds a record by its id', async () => {
  const own = ['audience', 'template', 'campaign', 'conversation', 'message', 'sender'];
  for (const kind of own) expect((await find(ids[kind]!)).map((result) => result.kind)).toEqual([kind]);
});

test('a search returns only the kinds that the user may view', async () => {
  const { account_id } = company;
  const { token } = await makeUser(world.kernel, account_id, { permissions: { CAMPAIGNS: 1, MESSAGES: 1 } });
  expect(titles(await find('spring', token)).sort()).toEqual(['campaign: Our spring sale', 'campaign: Spring again']);
  // Without a permission for other users' conversations, only unassigned ones are found.
  const agent = await makeUser(world.kernel, account_id, { permissions: { CONVERSATIONS: 1 } });
  expect(titles(await find('spring', agent.token))).toEqual(['conversation: Ann Springer']);
  const nobody = await makeUser(world.kernel, account_id, { permissions: { USERS: 15 } });
  expect((await world.as(nobody.token).get('/v1/search?text=spring')).status).toBe(403);
});

test('a search of one character is refused', async () => {
  expect((await world.as(company.token).get('/v1/search?text=s')).status).toBe(400);
});

test('a search reads no more pages when another account has many rows', async () => {
  const { db } = world.kernel;
  const scope = { ...company, buckets: ['self', 'none', 'others'] as const };
  const kinds = ['contact', 'conversation', 'number'] as const;
  const countPages = async (text: string): Promise<number> => {
    let pages = 0;
    const counting = {
      ...db,
      rows: async <T>(statement: Parameters<typeof db.rows>[0]): Promise<T[]> => {
        const plan = { ...statement, strings: [`explain (analyze, buffers, format json) ${statement.strings[0]}`] };
        plan.strings.push(...statement.strings.slice(1));
        const [row] = await db.rows<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(plan);
        const { Plan } = row!['QUERY PLAN'][0]!;
        pages = Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
        return [];
      },
    };
    await findRecords(counting as unknown as typeof db, readText(scope, text), kinds);
    return pages;
  };
  const texts = ['ann', '44741'];
  const before = await Promise.all(texts.map(countPages));
  const sender = (await makeSender(world.kernel, stranger.account_id)).sender_id;
  const audience = newId();
  await db.run(
    sql`insert into audiences (account_id, id, name) values (${stranger.account_id}, ${audience}, 'Large audience')`,
  );
  await db.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name)
    select ${stranger.account_id}, ${audience}, gen_random_uuid(), 44741000000 + n, 'GB', 'Ann ' || n, 'Person'
    from generate_series(1, 20000) n`);
  await db.run(sql`
    insert into conversations (account_id, id, channel, sender_id, number, timestamp)
    select ${stranger.account_id}, gen_random_uuid(), 'SMS', ${sender}, 44741000000 + n, now()
    from generate_series(1, 20000) n`);
  await db.run(sql`analyze contacts, conversations`);
  const after = await Promise.all(texts.map(countPages));
  after.forEach((pages, at) => {
    expect(pages).toBeLessThan(before[at]! * 3 + 60);
  });
});

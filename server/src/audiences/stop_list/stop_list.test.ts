import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { listStoppedNumbers, startNumber, stopNumber } from '../audiences.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender_id: string;
let other_sender: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, company.account_id, { name: 'Shop' }));
  ({ sender_id: other_sender } = await makeSender(world.kernel, company.account_id));
});
afterAll(() => world.stop());

const STOPS = '/v1/stop_list';
const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const history = (number: string) =>
  world.kernel.db.rows<Record<string, unknown>>(sql`
    select change, reason, text, sender_id, user_id, message_id from stop_list_history
    where account_id = ${company.account_id} and number = ${number} order by id`);
const listChanges = async (number: string) =>
  (
    await world.kernel.db.rows<{ payload: { change: string } }>(sql`
      select payload from events where account_id = ${company.account_id} and type = 'stop_list.changed'
        and payload->>'number' = ${number}
      order by id`)
  ).map(({ payload }) => payload.change);

describe('a stop list entry', () => {
  test('can be listed and removed, and the history records the user', async () => {
    const creation = await owner.post(STOPS, { number: '(202) 555-0101' });
    expect(creation.status).toBe(201);
    expect(creation.body.data).toMatchObject({
      number: '12025550101',
      country: 'US',
      sender_id: null,
      sender_name: null,
      reason: 'manual',
      text: '',
      message_id: null,
    });
    expect((await owner.get(STOPS)).body.data).toEqual([creation.body.data]);
    expect((await owner.delete(`${STOPS}/${creation.body.data.id}`)).status).toBe(204);
    expect(code(await owner.delete(`${STOPS}/${creation.body.data.id}`))).toBe(1370);
    expect((await owner.get(STOPS)).body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect(await history('12025550101')).toMatchObject([
      { change: 'stopped', reason: 'manual', user_id: company.user_id, sender_id: null },
      { change: 'started', reason: 'manual', user_id: company.user_id },
    ]);
    expect(await listChanges('12025550101')).toEqual(['stopped', 'started']);
  });

  test('for all senders can be added after an entry for one sender, but not the reverse', async () => {
    const stop = (sender: string | null) => owner.post(STOPS, { number: '+12025550102', sender_id: sender });
    expect((await stop(sender_id)).body.data).toMatchObject({ sender_id, sender_name: 'Shop' });
    expect(code(await stop(sender_id))).toBe(1003);
    expect((await stop(null)).status).toBe(201);
    expect(code(await stop(other_sender))).toBe(1003);
    expect(code(await stop(null))).toBe(1003);
    expect(await listChanges('12025550102')).toEqual(['stopped', 'stopped']);
    const countStops = async (filter: string) =>
      (await owner.get(`${STOPS}?filter[sender_id]=${filter}`)).body.data.length;
    expect([
      await countStops(sender_id),
      await countStops('all'),
      await countStops(other_sender),
      await countStops('nonsense'),
    ]).toEqual([1, 1, 0, 0]);
    const search = async (text: string) =>
      (await owner.get(`${STOPS}?filter[search]=${encodeURIComponent(text)}`)).body.data.length;
    expect([
      await search('+1 202'),
      await search('12025550102'),
      await search('44'),
      await search('%'),
      await search('+'),
    ]).toEqual([2, 2, 0, 0, 0]);
  });

  test('is created by only one of several concurrent requests', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => owner.post(STOPS, { number: '+12025550103' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await history('12025550103')).toHaveLength(1);
  });

  test('has the reason api when it is created with an API key', async () => {
    const caller = world.as({ key: await makeKey(world.kernel, company.account_id) });
    expect((await caller.post(STOPS, { number: '+12025550104' })).body.data.reason).toBe('api');
  });

  test.each<[string, unknown, number]>([
    ['no number', {}, 1353],
    ['an empty number', { number: '' }, 1353],
    ['an invalid number', { number: '12' }, 1354],
    ['a number that is too long', { number: '1'.repeat(46) }, 1355],
    ['an invalid sender id', { number: '+12025550105', sender_id: 'x' }, 1402],
    ['an unknown sender', { number: '+12025550105', sender_id: newId() }, 1402],
  ])('is rejected when it has %s', async (_, data, expected) => {
    expect(code(await owner.post(STOPS, data))).toBe(expected);
  });

  test('cannot be viewed by another account or name another account’s sender', async () => {
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const { id } = (await owner.post(STOPS, { number: '+12025550106' })).body.data;
    expect(code(await stranger.delete(`${STOPS}/${id}`))).toBe(1370);
    expect((await stranger.get(STOPS)).body.data).toEqual([]);
    expect(code(await stranger.post(STOPS, { number: '+12025550106', sender_id }))).toBe(1402);
  });
});

describe('the stop list', () => {
  const keyword = { number: '447410000009', text: 'Stop please', message_id: newId() };
  const listStopped = async (sender: string) => [
    ...(await listStoppedNumbers(world.kernel.db, company.account_id, sender, ['447410000009', '447410000008'])),
  ];

  test('records an opt-out for one sender until the recipient opts in', async () => {
    const account_id = company.account_id;
    const stop = () =>
      world.kernel.db.tx((tx) => stopNumber(tx, { account_id, sender_id, reason: 'keyword', ...keyword }));
    const start = () =>
      world.kernel.db.tx((tx) => startNumber(tx, { account_id, sender_id, ...keyword, text: 'START' }));
    expect(await start()).toBe(false);
    expect(await stop()).toBe(true);
    expect(await stop()).toBe(false);
    expect(await listStopped(sender_id)).toEqual(['447410000009']);
    expect(await listStopped(other_sender)).toEqual([]);
    expect((await owner.get(`${STOPS}?filter[search]=447410000009`)).body.data).toMatchObject([
      { reason: 'keyword', text: 'Stop please', message_id: keyword.message_id, sender_name: 'Shop' },
    ]);
    expect(await start()).toBe(true);
    expect(await listStopped(sender_id)).toEqual([]);
    expect(await history('447410000009')).toMatchObject([
      { change: 'stopped', reason: 'keyword', text: 'Stop please', message_id: keyword.message_id },
      { change: 'started', reason: 'keyword', text: 'START', message_id: keyword.message_id },
    ]);
  });

  test('keeps an entry that a user added even when the recipient opts in', async () => {
    await owner.post(STOPS, { number: '+447410000008' });
    const start = { account_id: company.account_id, sender_id, number: '447410000008', text: 'START' };
    expect(await world.kernel.db.tx((tx) => startNumber(tx, start))).toBe(false);
    expect(await listStopped(sender_id)).toEqual(['447410000008']);
    expect(await listStopped(other_sender)).toEqual(['447410000008']);
  });

  test('returns an empty set for a lookup without numbers', async () => {
    expect(await listStoppedNumbers(world.kernel.db, company.account_id, sender_id, [])).toEqual(new Set());
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt, newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { countMessages } from '../registrations/queries.ts';
import { type Company, makeCompany, makeSender } from '../test/make.ts';
import { makeNumber } from '../test/senders.ts';
import { createWorld, type World } from '../test/world.ts';
import { resolveSender } from './senders.ts';

let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

test('a sender is found by id, code, or name, and a usable sender is preferred', async () => {
  const { kernel } = world;
  const { account_id } = company;
  const old = await makeSender(kernel, account_id, {
    code: '447400000100',
    name: 'Old brand',
    status: 'canceled',
    two_way: false,
  });
  const renamed = await makeSender(kernel, account_id, { code: '447400000100', name: 'New brand', two_way: false });
  const name = await makeSender(kernel, account_id, {
    code: 'Harbour',
    name: 'Name',
    status: 'pending',
    type: 'alphanumeric',
    two_way: false,
  });
  const resolve = (from: string) => resolveSender(kernel.db, account_id, 'SMS', from).then((sender) => sender.id);
  expect(await resolve('447400000100')).toBe(renamed.sender_id);
  expect(await resolve('+447400000100')).toBe(renamed.sender_id);
  expect(await resolve('New brand')).toBe(renamed.sender_id);
  expect(await resolve(renamed.sender_id.toUpperCase())).toBe(renamed.sender_id);
  await expect(resolve('Old brand')).rejects.toMatchObject({ name: 'MESSAGE_SENDER_NOT_FOUND' });
  await expect(resolve(old.sender_id)).rejects.toMatchObject({ name: 'SENDER_BLOCKED' });
  await expect(resolve('Harbour')).rejects.toMatchObject({ name: 'MESSAGE_SENDER_INVALID' });
  await expect(resolve('new brand')).rejects.toMatchObject({ name: 'MESSAGE_SENDER_NOT_FOUND' });
  await expect(resolveSender(kernel.db, account_id, 'VIBER', 'New brand')).rejects.toMatchObject({
    name: 'MESSAGE_SENDER_NOT_FOUND',
  });

  const api = world.as(company.token);
  const names = async (query: string) =>
    (await api.get(`/v1/senders?${query}`)).body.data.map((sender: { name: string }) => sender.name);
  expect(await names('')).toEqual(['Name', 'New brand', 'Old brand']);
  expect(await names('filter[name]=BRAND&filter[statuses]=available')).toEqual(['New brand']);
  expect(await names('filter[type]=ALPHANUMERIC&filter[channel]=sms')).toEqual(['Name']);
  expect((await api.get(`/v1/senders/${name.sender_id}`)).body.data).toMatchObject({
    code: 'Harbour',
    two_way: false,
    status: 'pending',
  });
  expect(await names('filter[status]=AVAILABLE')).toEqual(['New brand']);
  for (const filter of ['filter[status]=ready', 'filter[statuses]=available,ready'])
    expect((await api.get(`/v1/senders?${filter}`)).body.errors[0]).toMatchObject({
      code: 1439,
      message: 'Status is not valid',
    });
  const stranger = world.as((await makeCompany(kernel)).token);
  expect((await stranger.get(`/v1/senders/${name.sender_id}`)).body.errors[0].code).toBe(1402);
  expect((await stranger.get('/v1/senders')).body.data).toEqual([]);
});

test('a live sender keeps its code when drafts, deleted senders, or live senders are named after it', async () => {
  const { kernel } = world;
  const { account_id } = await makeCompany(kernel);
  const add = (code: string, name: string, status: string) =>
    makeSender(kernel, account_id, { code, name, status, type: 'alphanumeric', two_way: false });
  const resolve = (from: string) => resolveSender(kernel.db, account_id, 'SMS', from).then((sender) => sender.id);
  await add('', 'Harbour', 'unregistered');
  await add('Harbour', 'Harbour 1', 'canceled');
  await add('Harbour', 'Harbour 2', 'rejected');
  const live = await add('Harbour', 'Main sender', 'approved');
  expect(await resolve('Harbour')).toBe(live.sender_id);
  await kernel.db.run(sql`
    update senders set name = 'Renamed' where account_id = ${account_id} and name = 'Harbour'`);
  const second = await add('Second', 'Harbour', 'approved');
  expect(await resolve('Harbour')).toBe(live.sender_id);
  expect(await resolve('Second')).toBe(second.sender_id);
  const pending = await add('Third', 'Third sender', 'pending');
  await expect(resolve('Third')).rejects.toMatchObject({ name: 'MESSAGE_SENDER_INVALID' });
  expect(await resolve(live.sender_id)).toBe(live.sender_id);
  await expect(resolve(pending.sender_id)).rejects.toMatchObject({ name: 'MESSAGE_SENDER_INVALID' });
});

test('missing and invalid values in an order or update return their own codes and are not saved', async () => {
  const owner = world.as((await makeCompany(world.kernel)).token);
  const desk = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const draft = await owner.post('/v1/senders', { type: 'alphanumeric', code: 'Harbour', countries: ['GB'] });
  const at = `/v1/senders/${draft.body.data.id}`;
  await makeNumber(world.kernel, '442079460999', { type: 'local' });
  await world.kernel.db.run(sql`delete from number_prices where country = 'GB' and type = 'local'`);
  const long = '1'.repeat(21);
  const invalidBodies = [
    [await owner.post('/v1/senders', {}), 1403, undefined],
    [await owner.put(at, { name: ' ' }), 1404, 'name'],
    [await owner.put(at, { code: long }), 1408, 'code'],
    [await owner.post('/v1/senders', { type: 'local', code: long }), 1408, 'code'],
    [await owner.post('/v1/senders', { type: 'local', code: '442079460999' }), 1480, 'prices'],
    [await desk.get(`/v1/requests/${newId()}`), 1477, undefined],
    [await desk.put(`/v1/requests/${newId()}`, { decision: 'approve' }), 1477, undefined],
  ] as const;
  expect(invalidBodies.map(([{ body }]) => [body.errors[0].code, body.errors[0].field])).toEqual(
    invalidBodies.map(([, code, field]) => [code, field]),
  );
  expect((await owner.get('/v1/senders')).body.data).toHaveLength(1);
  expect((await owner.get(at)).body.data).toMatchObject({ name: 'Harbour', code: 'Harbour' });
});

test('messages from the last 30 days are counted per sender, up to a limit', async () => {
  const { db } = world.kernel;
  const busy = await makeCompany(world.kernel);
  const [first, second] = [
    await makeSender(world.kernel, busy.account_id, { code: '447400000201' }),
    await makeSender(world.kernel, busy.account_id, { code: '447400000202' }),
  ];
  const days = (ago: number) => Date.now() - ago * 86_400_000;
  const rows = [
    [first, 'MT', 31],
    [first, 'MT', 29],
    [first, 'MT', 3],
    [first, 'MO', 2],
    [second, 'MT', 1],
  ] as const;
  for (const [{ sender_id }, direction, ago] of rows)
    await db.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
        segments_count, encoding, currency, source, create_date)
      values (${busy.account_id}, ${idAt(days(ago))}, ${direction}, 'SMS', 'delivered', ${sender_id}, '447400000201',
              '447410000001', '447410000001', 'GB', 'x', 1, 'GSM-7', 'USD', 'api', ${new Date(days(ago))})`);
  const detail = (await world.as(busy.token).get(`/v1/senders/${first.sender_id}`)).body.data;
  expect(detail.messages_30_days).toBe(2);
  expect(detail).not.toHaveProperty('messages_30_days_more');
  const countRecent = (limit: number) => countMessages(db, busy.account_id, first.sender_id, new Date(days(30)), limit);
  expect(await countRecent(5)).toEqual({ count: 2, more: false });
  expect(await countRecent(3)).toEqual({ count: 1, more: true });
});

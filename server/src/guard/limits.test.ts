import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import {
  broken,
  crowd,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../test/campaigns.ts';
import { makeKey, testNumber } from '../test/make.ts';
import { createWorld, until, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const limit = { type: 'messages', limit: 100, interval: 'day' };
const create = async (stage: Stage, body: object = {}) => {
  const reply = await stage.caller.post('/v1/limits', { ...limit, ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
const read = async (stage: Stage, id: string) => (await stage.caller.get(`/v1/limits/${id}`)).body.data;
const send = (stage: Stage, to: string | string[], caller = stage.caller) =>
  caller.post('/v1/messages', { channel: 'SMS', from: stage.sender_id, to: [to].flat(), text: 'Hello' });
const countMessages = async ({ account_id }: Stage): Promise<number> =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from messages where account_id = ${account_id} and direction = 'MT'`,
    )
  ).count;

test('a limit is created, changed, listed, and deleted, and each change is in the audit log', async () => {
  const stage = await makeStage(world, []);
  const created = await create(stage, { countries: ['gb', 'GB', 'fr'], prefixes: ['+4477'] });
  expect(created).toMatchObject({
    ...{ ...limit, channels: ['SMS'], countries: ['FR', 'GB'], prefixes: ['4477'], block_traffic: true, enabled: true },
    ...{ state: 'active', used: 0, blocked: 0 },
  });
  const { status, body } = await stage.caller.put(`/v1/limits/${created.id}`, { limit: 50, enabled: false });
  expect([status, body.data.limit, body.data.state]).toEqual([200, 50, 'disabled']);
  expect((await stage.caller.get('/v1/limits')).body.data).toHaveLength(1);
  expect((await stage.caller.delete(`/v1/limits/${created.id}`)).status).toBe(204);
  expect((await stage.caller.get(`/v1/limits/${created.id}`)).body.errors[0].code).toBe(2320);
  const { body: log } = await stage.caller.get('/v1/audit_log');
  const actions = log.data.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 3)).toEqual(['limit.deleted', 'limit.updated', 'limit.created']);
});

test.for([
  [{ type: 'calls' }, 2322],
  [{ limit: 0 }, 2323],
  [{ limit: 1.5 }, 2323],
  [{ interval: 'year' }, 2324],
  [{ prefixes: ['abc'] }, 2325],
  [{ channels: ['FAX'] }, 1515],
  [{ countries: ['XX'] }, 1412],
] as const)('a limit with %j is refused with code %i', async ([fields, code]) => {
  const stage = await makeStage(world, []);
  const { status, body } = await stage.caller.post('/v1/limits', { ...limit, ...fields });
  expect([status, body.errors[0].code]).toEqual([400, code]);
});

test('32 parallel senders get exactly 100 messages through a limit of 100, and pay for 100', async () => {
  const stage = await makeStage(world, []);
  const key = world.as({ key: await makeKey(world.kernel, stage.account_id) });
  const { id } = await create(stage);
  let next = 0;
  const codes: number[] = [];
  const sender = async (n: number) => {
    for (let turn = 0; turn < 6; turn++) {
      const reply = await send(stage, testNumber(next++), n % 2 ? key : stage.caller);
      codes.push(reply.status === 200 ? 200 : reply.body.errors[0].code);
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => sender(n)));
  const counts = (wanted: number) => codes.filter((code) => code === wanted).length;
  expect({ accepted: counts(200), blocked: counts(2327), all: codes.length, codes: [...new Set(codes)] }).toEqual({
    accepted: 100,
    blocked: 92,
    all: 192,
    codes: [200, 2327],
  });
  expect(await countMessages(stage)).toBe(100);
  await until('the blocked messages are counted', async () => (await read(stage, id)).blocked === 92);
  expect(await read(stage, id)).toMatchObject({ state: 'reached', used: 100 });
  const { available_micros } = await readBalance(world, stage);
  expect(100_000_000 - available_micros).toBe(100 * 40_000);
  expect(await listEvents(world, stage, 'violation.started')).toHaveLength(1);
});

test('a request with several recipients is refused as a whole when it does not fit', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { limit: 5 });
  const reply = await send(
    stage,
    crowd(6).map(({ number }) => number),
  );
  expect([reply.status, reply.body.errors[0].code]).toEqual([403, 2327]);
  expect(await countMessages(stage)).toBe(0);
  await until('the violation is noted', async () => (await read(stage, id)).blocked === 6);
  expect((await read(stage, id)).used).toBe(0);
  expect(
    (
      await send(
        stage,
        crowd(5).map(({ number }) => number),
      )
    ).status,
  ).toBe(200);
});

test('a limit that only notifies starts a violation and blocks nothing', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { limit: 2, block_traffic: false });
  for (const { number } of crowd(4)) expect((await send(stage, number)).status).toBe(200);
  expect(await read(stage, id)).toMatchObject({ state: 'reached', used: 4, blocked: 0 });
  const { body } = await stage.caller.get('/v1/violations?filter[active]=true');
  expect(body.data).toMatchObject([{ limit_id: id, limit: 2, interval: 'day', block_traffic: false, end_date: null }]);
});

test('raising a limit ends its violation and lets messages through again', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { limit: 1 });
  await send(stage, testNumber(1));
  expect((await send(stage, testNumber(2))).body.errors[0].code).toBe(2327);
  expect((await stage.caller.put(`/v1/limits/${id}`, { limit: 2 })).body.data).toMatchObject({
    state: 'active',
    used: 1,
  });
  expect(await listEvents(world, stage, 'violation.expired')).toHaveLength(1);
  expect((await send(stage, testNumber(2))).status).toBe(200);
  expect((await send(stage, testNumber(3))).body.errors[0].code).toBe(2327);
});

test.for([
  [{ type: 'spend', limit: 100_000 }, 2],
  [{ type: 'messages_per_recipient', limit: 2 }, 2],
  [{ type: 'messages_per_sender', limit: 3 }, 3],
  [{ prefixes: ['447'], limit: 1 }, 1],
  [{ prefixes: ['448'], limit: 1 }, 4],
  [{ countries: ['FR'], limit: 1 }, 4],
  [{ channels: ['VIBER'], limit: 1 }, 4],
  [{ type: 'messages_per_key', limit: 1 }, 4],
] as const)('a limit %j lets %i of 4 messages to one recipient through', async ([fields, expected]) => {
  const stage = await makeStage(world, []);
  await create(stage, fields);
  for (let turn = 0; turn < 4; turn++) await send(stage, testNumber(9));
  expect(await countMessages(stage)).toBe(expected);
});

async function sendOne(stage: Stage): Promise<number> {
  await send(stage, testNumber(9));
  const { price_micros } = await world.kernel.db.one<{ price_micros: number }>(
    sql`select price_micros from messages where account_id = ${stage.account_id}`,
  );
  expect(price_micros).toBeGreaterThan(0);
  return price_micros;
}

test.each([
  ['spend_per_user', 2],
  ['spend_per_key', 4],
  ['spend_per_campaign', 4],
])('a %s limit of two prices accepts %i of 4 messages from a person', async (type, expected) => {
  const stage = await makeStage(world, []);
  await create(stage, { type, limit: 2 * (await sendOne(stage)) });
  for (let turn = 0; turn < 4; turn++) await send(stage, testNumber(9));
  expect(await countMessages(stage)).toBe(1 + expected);
});

test('a limit per IP address counts the messages of all its callers, even in groups', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { type: 'messages_per_address', limit: 3 });
  const key = world.as({ key: await makeKey(world.kernel, stage.account_id) });
  const codes = [];
  for (let n = 0; n < 4; n++) codes.push((await send(stage, testNumber(n), n % 2 ? key : stage.caller)).status);
  expect(codes).toEqual([200, 200, 200, 403]);
  const together = await Promise.all([4, 5, 6].map((n) => send(stage, testNumber(n), key)));
  expect(together.map(({ body }) => body.errors[0].code)).toEqual([2327, 2327, 2327]);
  expect((await stage.caller.get('/v1/violations')).body.data).toMatchObject([{ limit_id: id, scope: '127.0.0.1' }]);
  const rule = { type: 'messages_per_address', limit: 3, interval: 'day' };
  expect((await stage.caller.post('/v1/limit_back_tests', rule)).body.errors[0].code).toBe(2618);
  const unlimited = { type: rule.type, interval: rule.interval };
  expect((await stage.caller.post('/v1/limit_suggestions', unlimited)).body.data.reason).toBe('rule');
});

test('each campaign counts its own spend and pauses at the limit', async () => {
  const stage = await makeStage(world, crowd(20));
  await create(stage, { type: 'spend_per_campaign', limit: 10 * (await sendOne(stage)), interval: 'month' });
  const campaigns = [await startCampaign(stage), await startCampaign(stage, { name: 'Second' })];
  for (const { id } of campaigns) {
    await until('the campaign pauses', async () => (await readCampaign(stage, id)).status === 'paused');
    expect(await readCampaign(stage, id)).toMatchObject({ status_details: 'limit', fanned_out: 10 });
  }
});

test('a campaign uses the rest of a limit, pauses, and continues after the limit is raised', async () => {
  const stage = await makeStage(world, crowd(60));
  const { id } = await create(stage, { limit: 25 });
  const campaign = await startCampaign(stage);
  await until('the campaign pauses', async () => (await readCampaign(stage, campaign.id)).status === 'paused');
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    status_details: 'limit',
    fanned_out: 25,
    skipped: {},
  });
  expect(await countMessages(stage)).toBe(25);
  await stage.caller.put(`/v1/limits/${id}`, { limit: 1_000 });
  await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
  await until('all have a message', async () => (await readCampaign(stage, campaign.id)).fanned_out === 60);
  expect((await read(stage, id)).used).toBe(60);
});

test('a campaign waiting for a limit continues after the limit is deleted', async () => {
  const stage = await makeStage(world, crowd(40));
  const { id } = await create(stage, { limit: 15 });
  const campaign = await startCampaign(stage);
  await until('the campaign pauses', async () => (await readCampaign(stage, campaign.id)).status === 'paused');
  expect((await stage.caller.delete(`/v1/limits/${id}`)).status).toBe(204);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ status: 'paused', fanned_out: 15 });
  await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
  await until('all have a message', async () => (await readCampaign(stage, campaign.id)).fanned_out === 40);
  expect(await countMessages(stage)).toBe(40);
});

test('an account has at most 50 limits, even when they are created at the same time', async () => {
  const stage = await makeStage(world, []);
  const body = { ...limit, enabled: false };
  const replies = await Promise.all(Array.from({ length: 60 }, () => stage.caller.post('/v1/limits', body)));
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  expect(count(201)).toBe(50);
  const refused = replies.filter(({ status }) => status !== 201);
  expect(new Set(refused.map((reply) => reply.body.errors[0].code))).toEqual(new Set([2326]));
});

test('a campaign skips only the recipients who have reached a limit per recipient', async () => {
  const stage = await makeStage(world, crowd(5));
  await create(stage, { type: 'messages_per_recipient', limit: 1 });
  await send(stage, crowd(5)[2]!.number);
  const campaign = await startCampaign(stage);
  await until('the campaign has ended', async () => (await readCampaign(stage, campaign.id)).fanned_out === 4);
  expect((await readCampaign(stage, campaign.id)).skipped).toEqual({ recipient_limit: 1 });
});

test('messages to a blocked country are refused, excluded from campaigns, and canceled while they wait', async () => {
  const stage = await makeStage(world, [...crowd(3), { number: '37491000001', country: 'AM' }]);
  const later = await stage.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: stage.sender_id, to: [testNumber(1)], text: 'Later', schedule: '2040-01-01 09:00:00' },
  });
  expect(later.status).toBe(200);
  const { status, body } = await stage.caller.put(`/v1/country_blacklist/${stage.account_id}`, { countries: ['gb'] });
  expect([status, body.data.countries]).toEqual([200, ['GB']]);
  const refused = await send(stage, testNumber(2));
  expect([refused.status, refused.body.errors[0].code]).toEqual([403, 1531]);
  const preview = await stage.caller.post('/v1/campaign_previews', {
    ...{ channel: 'SMS', from: stage.sender_id, audience: stage.audience_id, text: 'Hello' },
  });
  expect(preview.body.data.counts).toMatchObject({ country_blocked: 3, will_receive: 0 });
  await until('the scheduled message is canceled', async () => {
    const { body: found } = await stage.caller.get(`/v1/messages/${later.body.data[0].id}`);
    return found.data.status === 'canceled';
  });
  expect(await readBalance(world, stage)).toEqual({ available_micros: 100_000_000, held_micros: 0 });
  await stage.caller.put(`/v1/country_blacklist/${stage.account_id}`, { countries: [] });
  expect((await send(stage, testNumber(2))).status).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { broken, crowd, listEvents, makeStage, type Stage, startCampaign } from '../test/campaigns.ts';
import { findMail } from '../test/mailbox.ts';
import { makeUser, testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const create = async (stage: Stage, body: object = {}) => {
  const rule = { type: 'messages', limit: 10, interval: 'month', warn_at: [80, 50, 50], ...body };
  const reply = await stage.caller.post('/v1/limits', rule);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
const read = async (stage: Stage, id: string) => (await stage.caller.get(`/v1/limits/${id}`)).body.data;
const send = (stage: Stage, to: string | string[]) =>
  stage.caller.post('/v1/messages', { channel: 'SMS', from: stage.sender_id, to: [to].flat(), text: 'Hello' });
const sendMany = async (stage: Stage, count: number, from = 0) => {
  for (let n = 0; n < count; n++) expect((await send(stage, testNumber(from + n))).status).toBe(200);
};
const listPercents = async (stage: Stage) =>
  (await listEvents(world, stage, 'limit.warning')).map((event) => (event as unknown as { percent: number }).percent);

test('a limit warns once at each percentage, and is reached after that', async () => {
  const stage = await makeStage(world, []);
  const { id, warn_at } = await create(stage);
  expect(warn_at).toEqual([50, 80]);
  await sendMany(stage, 4);
  expect(await read(stage, id)).toMatchObject({ state: 'active', warning: null });
  await sendMany(stage, 2, 4);
  expect(await read(stage, id)).toMatchObject({ state: 'warning', warning: 50, used: 6 });
  await sendMany(stage, 3, 6);
  expect(await read(stage, id)).toMatchObject({ state: 'warning', warning: 80, used: 9 });
  await sendMany(stage, 1, 9);
  expect(await read(stage, id)).toMatchObject({ state: 'reached', warning: 80, used: 10 });
  expect(await listPercents(stage)).toEqual([50, 80]);
});

test('a request that passes several percentages warns at the highest, unless it reaches the limit', async () => {
  const stage = await makeStage(world, []);
  await create(stage);
  await create(stage, { limit: 9, block_traffic: false });
  const to = crowd(9).map(({ number }) => number);
  expect((await send(stage, to)).status).toBe(200);
  expect(await listPercents(stage)).toEqual([80]);
  expect(await listEvents(world, stage, 'violation.started')).toHaveLength(1);
});

test('32 parallel senders get one warning at each percentage', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { limit: 100, warn_at: [25, 50, 75] });
  await Promise.all(Array.from({ length: 32 }, (_, n) => sendMany(stage, 3, 10 * n)));
  expect((await listPercents(stage)).at(-1)).toBe(75);
  const percents = await listPercents(stage);
  expect(new Set(percents).size, 'a group of requests may pass two percentages').toBe(percents.length);
  expect(await read(stage, id)).toMatchObject({ used: 96, warning: 75 });
});

test('refused messages do not warn', async () => {
  const stage = await makeStage(world, []);
  await create(stage, { limit: 10 });
  await create(stage, { limit: 5 });
  const to = crowd(6).map(({ number }) => number);
  expect((await send(stage, to)).body.errors[0].code).toBe(2327);
  expect(await listPercents(stage)).toEqual([]);
});

test('a campaign warns, and the owners get an email', async () => {
  const stage = await makeStage(world, crowd(12));
  await create(stage, { limit: 14, warn_at: [80] });
  await startCampaign(stage);
  const mail = await findMail(world.kernel, `${stage.user_id}@test.localhost`, 'Traffic limit at 80%');
  expect(mail.text).toContain('has used 12 of its limit of 14 SMS messages per month');
});

test('a changed limit may warn again in its interval', async () => {
  const stage = await makeStage(world, []);
  const { id } = await create(stage, { warn_at: [50] });
  await sendMany(stage, 5);
  await stage.caller.put(`/v1/limits/${id}`, { limit: 12 });
  expect(await read(stage, id)).toMatchObject({ state: 'active', warning: null, used: 5 });
  await sendMany(stage, 1, 5);
  expect(await listPercents(stage)).toEqual([50, 50]);
});

test('a limit per recipient warns once for all recipients', async () => {
  const stage = await makeStage(world, []);
  await create(stage, { type: 'messages_per_recipient', limit: 4, warn_at: [50] });
  for (const n of [1, 1, 2, 2, 1]) await send(stage, testNumber(n));
  expect(await listPercents(stage)).toEqual([50]);
});

test.for([[[0]], [[100]], [[50.5]], [[1, 2, 3, 4, 5, 6]]] as const)('warnings at %j are refused', async ([warn_at]) => {
  const stage = await makeStage(world, []);
  const { status, body } = await stage.caller.post('/v1/limits', {
    ...{ type: 'messages', limit: 10, interval: 'day', warn_at },
  });
  expect([status, body.errors[0].code]).toEqual([400, 2480]);
});

describe('a suggestion', () => {
  interface Counted {
    hours: number;
    messages: number;
    value: string;
    delivered?: number;
    price?: number;
  }
  const HOUR = 3_600_000;
  /** Counted messages by their age in hours before the end of the counted slots. */
  const count = async (stage: Stage, until: Date, rows: Counted[]) => {
    await world.kernel.db.run(sql`
      insert into message_count_marks values (${stage.account_id}, ${until})`);
    for (const { hours, messages, value, delivered = messages, price = 40_000 } of rows)
      for (const [dimension, of] of [
        ['source', 'api'],
        ['country', value],
        ['sender', newId()],
      ] as const)
        await world.kernel.db.run(sql`
          insert into message_counts (account_id, dimension, slot, channel, value, messages, sent, delivered, read,
            failed, received, segments, spend_micros)
          values (${stage.account_id}, ${dimension}, ${new Date(until.getTime() - hours * HOUR)}, 'SMS', ${of},
            ${messages + 1}, 0, ${delivered}, 0, 0, 1, 0, ${messages * price})
          on conflict (account_id, dimension, slot, channel, value) do update set
            messages = message_counts.messages + excluded.messages, received = message_counts.received + 1,
            spend_micros = message_counts.spend_micros + excluded.spend_micros`);
  };
  const UNTIL = new Date('2026-07-16T00:00:00Z');
  const ROWS = [
    { hours: 1, messages: 30, value: 'GB' },
    { hours: 2, messages: 33, value: 'GB' },
    { hours: 2, messages: 10, value: 'FR' },
    { hours: 30, messages: 60, value: 'GB' },
    { hours: 24 * 16, messages: 1_000, value: 'GB' },
  ];
  const suggest = async (stage: Stage, body: object) =>
    (await stage.caller.post('/v1/limit_suggestions', { type: 'messages', interval: 'day', ...body })).body.data;

  test.for([
    [{}, { highest: 73, suggested: 150, highest_date: '2026-07-15 00:00:00', intervals: 2 }],
    [{ interval: 'hour' }, { highest: 60, suggested: 120, highest_date: '2026-07-14 18:00:00', intervals: 3 }],
    [{ interval: 'month' }, { highest: 266, suggested: 540, highest_date: null }],
    [{ countries: ['FR'] }, { highest: 10, suggested: 20 }],
    [{ type: 'spend' }, { highest: 73 * 40_000, suggested: 5_900_000 }],
    [{ type: 'messages_per_sender' }, { highest: 60, suggested: 120, intervals: 4 }],
    [{ channels: ['VIBER'] }, { suggested: null, reason: 'no_traffic' }],
    [{ prefixes: ['44'] }, { suggested: null, reason: 'rule' }],
    [{ interval: 'minute' }, { suggested: null, reason: 'rule' }],
    [{ type: 'messages_per_recipient' }, { suggested: null, reason: 'rule' }],
  ] as const)('for %j is %j', async ([body, expected]) => {
    const stage = await makeStage(world, []);
    await count(stage, UNTIL, ROWS);
    expect(await suggest(stage, body)).toMatchObject(expected);
  });

  test('is lower for a country whose messages are costly or rarely delivered, and says why', async () => {
    const stage = await makeStage(world, []);
    await count(stage, UNTIL, [
      { hours: 1, messages: 900, value: 'GB' },
      { hours: 1, messages: 100, value: 'FR', delivered: 59 },
      { hours: 1, messages: 10, value: 'AZ', delivered: 2, price: 400_000 },
    ]);
    expect(await suggest(stage, { countries: ['GB'] })).toMatchObject({ suggested: 1_800, risk: { level: 'low' } });
    expect(await suggest(stage, { countries: ['GB', 'FR'] })).toMatchObject({
      ...{ suggested: 1_500, risk: { level: 'elevated', country: 'FR', delivered: 0.59 } },
    });
    const { suggested, risk } = await suggest(stage, { countries: ['AZ', 'FR'] });
    expect({ suggested, ...risk, cost_times: risk.cost_times.toFixed(1) }).toEqual({
      ...{ suggested: 140, level: 'high', country: 'AZ', cost_times: '9.2', delivered: 0.2 },
    });
    const { token } = await makeUser(world.kernel, stage.account_id, { permissions: { SMS_LIMITS: 1 } });
    const rule = { type: 'messages', interval: 'day', countries: ['AZ'] };
    const { body } = await world.as(token).post('/v1/limit_suggestions', rule);
    expect(body.data.risk).toMatchObject({ level: 'high', cost_times: null });
  });

  test('shows no spend to users who may not see it', async () => {
    const stage = await makeStage(world, []);
    await count(stage, UNTIL, ROWS);
    const { token } = await makeUser(world.kernel, stage.account_id, { permissions: { SMS_LIMITS: 1 } });
    const rule = { type: 'spend', interval: 'day' };
    const { body } = await world.as(token).post('/v1/limit_suggestions', rule);
    expect(body.data).toMatchObject({ highest: null, suggested: null, reason: 'permission' });
  });
});

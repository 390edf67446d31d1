import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { crowd, makeStage, type Stage, startCampaign, writeBack } from '../../test/campaigns.ts';
import { makeUser } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(() => world.stop());

const rule = { type: 'messages', limit: 7, interval: 'month' };
const backTest = (stage: Stage, body: object = {}, caller = stage.caller) =>
  caller.post('/v1/limit_back_tests', { ...rule, ...body });

test('a back-test counts the messages that the limit would have blocked, and lists them', async () => {
  const people = crowd(10);
  const stage = await makeStage(world, people);
  const campaign = await startCampaign(stage);
  const messages = () =>
    world.kernel.db.rows<{ id: string; number: string }>(sql`
      select id, number from messages where account_id = ${stage.account_id} and campaign_id = ${campaign.id}
      order by id`);
  await until('all have a message', async () => (await messages()).length === 10);
  const last = (await messages()).slice(7);
  await world.kernel.db.run(sql`
    update messages set status = 'delivered'
    where account_id = ${stage.account_id} and id = any(${last.slice(0, 2).map(({ id }) => id)}::uuid[])`);
  await writeBack(world, stage, last[0]!.number, 'Yes please');

  const { status, body } = await backTest(stage);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...{ days: 90, messages: 10, blocked: 3, blocked_micros: 120_000, delivered: 2, answered: 1, intervals_total: 1 },
    intervals: [{ used: 10, blocked: 3 }],
  });
  expect(body.data.examples.map(({ to, answered }: { to: string; answered: boolean }) => [to, answered])).toEqual(
    last.map(({ number }, n) => [number, n === 0]).reverse(),
  );
  const found = async (fields: object) => (await backTest(stage, fields)).body.data.blocked;
  expect(await found({ limit: 10 })).toBe(0);
  expect(await found({ type: 'spend', limit: 100_000 })).toBe(8);
  expect(await found({ type: 'messages_per_recipient', limit: 1 })).toBe(0);
  const by_campaign = (await backTest(stage, { type: 'spend_per_campaign', limit: 100_000 })).body.data;
  expect(by_campaign).toMatchObject({
    ...{ messages: 10, blocked: 8, blocked_micros: 320_000, delivered: 2, answered: 1, intervals_total: 1 },
    intervals: [{ used: 400_000, blocked: 8 }],
  });
  expect(by_campaign.examples).toHaveLength(8);
  expect(await found({ countries: ['FR'], limit: 1 })).toBe(0);
  expect(await found({ prefixes: [people[0]!.number], limit: 1 })).toBe(0);
  // Nothing is saved.
  expect((await stage.caller.get('/v1/limits')).body.data).toEqual([]);
});

test('a back-test hides messages and amounts from users who may see neither', async () => {
  const stage = await makeStage(world, []);
  const user = await makeUser(world.kernel, stage.account_id, { permissions: { SMS_LIMITS: 1 } });
  const { body } = await backTest(stage, {}, world.as(user.token));
  expect(body.data).toMatchObject({ messages: 0, examples: null, blocked_micros: null });
});

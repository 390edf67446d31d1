import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
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

const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
/** The start of the interval, in UTC. */
function toStart(interval: (typeof INTERVALS)[number], date: Date): string {
  if (interval === 'minute') return date.toISOString().slice(0, 16);
  if (interval === 'hour') return date.toISOString().slice(0, 13);
  if (interval === 'month') return date.toISOString().slice(0, 7);
  const days = interval === 'week' ? (date.getUTCDay() + 6) % 7 : 0;
  return new Date(date.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

test('a back-test blocks the same messages as counting them one by one', async () => {
  const stage = await makeStage(world, []);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const first = Date.now() - 40 * 86_400_000;
  // Messages come in groups, so that intervals of each length have several.
  const messages = Array.from({ length: 400 }, (_, n) => {
    const ms = first + Math.floor(n / 20) * 43_000_000 + Math.floor((n % 20) / 5) * 900_000 + (n % 5) * 7_000;
    return { id: newId(ms), at: new Date(ms), price: (1 + random(9)) * 10_000, is_delivered: random(3) > 0 };
  });
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
      segments_count, encoding, price_micros, currency, source, create_date)
    select ${stage.account_id}, t.id, 'MT', 'SMS', case when t.delivered then 'delivered' else 'failed' end,
      ${stage.sender_id}, 'Parley', '447400100200', '447400100200', 'GB', 'Hi', 1, 'GSM-7', t.price, 'USD', 'api', t.at
    from unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ at }) => at)}::timestamptz[],
                ${messages.map(({ price }) => price)}::bigint[],
                ${messages.map(({ is_delivered }) => is_delivered)}::boolean[]) as t(id, at, price, delivered)`);
  for (const interval of INTERVALS)
    for (const [type, limit] of [
      ['messages', 3],
      ['messages', 12],
      ['spend', 170_000],
    ] as const) {
      const used = new Map<string, number>();
      const blocked = messages.filter(({ at, price }) => {
        const start = toStart(interval, at);
        used.set(start, (used.get(start) ?? 0) + (type === 'spend' ? price : 1));
        return used.get(start)! > limit;
      });
      const { data } = (await backTest(stage, { type, limit, interval })).body;
      expect([interval, type, limit, data]).toMatchObject([
        ...[interval, type, limit],
        {
          ...{
            messages: 400,
            blocked: blocked.length,
            intervals_total: new Set(blocked.map(({ at }) => toStart(interval, at))).size,
          },
          blocked_micros: blocked.reduce((sum, { price }) => sum + price, 0),
          delivered: blocked.filter(({ is_delivered }) => is_delivered).length,
        },
      ]);
      const newest = blocked.slice(-50).reverse();
      expect(data.examples.map(({ id }: { id: string }) => id)).toEqual(newest.map(({ id }) => id));
    }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idAt } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany, makeSender } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

test('the balance lasts as long as the average spend of the last seven days allows', async () => {
  const { db } = world.kernel;
  const { account_id, token } = await makeCompany(world.kernel);
  const api = world.as(token);
  const forecast = async () => (await api.get(`/v1/balances/${account_id}/forecast`)).body.data;
  const { sender_id } = await makeSender(world.kernel, account_id);
  const spend = async (days_ago: number, micros: number) => {
    const at = new Date(Date.now() - days_ago * 86_400_000);
    const id = `${idAt(at.getTime()).slice(0, 14)}7${randomUUID().slice(15)}`;
    await db.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
        segments_count, encoding, price_micros, currency, charge, source, create_date)
      values (${account_id}, ${id}, 'MT', 'SMS', 'delivered', ${sender_id}, 'Harbour', '447410012345', '447410012345',
        'GB', 'Hello', 1, 'GSM-7', ${micros}, 'USD', 'settled', 'api', ${at})`);
  };
  await db.run(sql`update balances set available_micros = 14000000, credit_limit_micros = 7000000
    where account_id = ${account_id}`);
  expect(await forecast()).toMatchObject({ spend_per_day_micros: 0, days_left: null, currency: 'USD' });
  await spend(0, 3_000_000);
  // The account is new, so its only day counts.
  expect(await forecast()).toMatchObject({ spend_per_day_micros: 3_000_000, days_left: 7 });
  await db.run(sql`update accounts set create_date = now() - interval '90 days' where id = ${account_id}`);
  await spend(6, 4_000_000);
  await spend(8, 100_000_000);
  expect(await forecast()).toMatchObject({ spend_per_day_micros: 1_000_000, days_left: 21 });
  await db.run(sql`update balances set available_micros = -7000000 where account_id = ${account_id}`);
  expect(await forecast()).toMatchObject({ days_left: 0 });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`/v1/balances/${account_id}/forecast`)).body.errors[0].code).toBe(
    (await stranger.get(`/v1/balances/${account_id}`)).body.errors[0].code,
  );
});

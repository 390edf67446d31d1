import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { createWorld, type World } from '../../test/world.ts';
import { seed } from '../seed.ts';
import { createDice } from './random.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
});
afterAll(() => world.stop());

test('the demo company gets a history of all channels that passes all checks', async () => {
  await seed(world.kernel);
  const figures = await world.kernel.db.one<Record<string, number>>(sql`
    select (select count(distinct channel)::int from campaigns where status = 'completed') as channels,
      (select count(*)::int from messages) as messages, (select count(*)::int from conversations) as conversations,
      (select count(*)::int from invoices) as invoices, (select count(*)::int from link_clicks) as clicks,
      (select count(distinct create_date::date)::int from messages) as days`);
  expect(figures).toMatchObject({ channels: 3, invoices: 3 });
  expect(figures.messages).toBeGreaterThan(3_000);
  expect(figures.conversations).toBeGreaterThan(40);
  expect(figures.clicks).toBeGreaterThan(150);
  expect(figures.days).toBeGreaterThan(85);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('the same seed gives the same history', () => {
  const values = (): unknown[] => {
    const dice = createDice(7);
    return [dice.whole(1, 1_000), dice.pick(['a', 'b', 'c']), dice.id(1_767_225_600_000), dice.chance(0.5)];
  };
  expect(values()).toEqual(values());
});

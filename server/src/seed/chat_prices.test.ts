import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPriceBook } from '../billing/billing.ts';
import { sql } from '../kernel/db/db.ts';
import { createWorld, type World } from '../test/world.ts';
import { seedChatPrices } from './chat_prices.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
});
afterAll(() => world.stop());

test('seeding adds missing chat prices for every country and keeps prices that an operator changed', async () => {
  const { kernel } = world;
  await kernel.db.tx(seedChatPrices);
  await kernel.db.run(
    sql`update rates set price_micros = 1 where channel = 'WHATSAPP' and country = 'DE' and purpose = 'service'`,
  );
  await kernel.db.tx(seedChatPrices);
  const book = await readPriceBook(kernel);
  const micros = (channel: string, country: string, purpose: 'service' | 'marketing' | 'session') =>
    book.price('01a5a9c0-0000-7000-8000-000000000000', channel, '4915112345678', country, 'USD', purpose)?.price_micros;
  expect([
    micros('WHATSAPP', 'DE', 'service'),
    micros('WHATSAPP', 'DE', 'marketing'),
    micros('WHATSAPP', 'AM', 'marketing'),
    micros('VIBER', 'AM', 'session'),
    micros('VIBER', 'XX', 'session'),
  ]).toEqual([1, 138_000, 62_000, 7_000, undefined]);
});

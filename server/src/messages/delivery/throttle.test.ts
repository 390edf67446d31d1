/** Tests that every message arrives once and few are throttled when the carrier limits the rate. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';

let world: World;
let carrier: Carrier;
let company: Company;
let sender_id: string;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
  await until('a bind is up', async () => (await bind())?.state === 'bound');
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel, { balance_micros: 1_000_000_000 });
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});

const bind = () =>
  world.kernel.db.maybeOne<{ state: string; pace_per_second: number | null; throttled_count: number }>(
    sql`select state, pace_per_second, throttled_count from binds`,
  );
async function send(source: 'campaign' | 'api', count: number, text = 'Hello'): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => testNumber(next++));
  await world.kernel.db.tx((tx) =>
    accept(tx, world.kernel, {
      account_id: company.account_id,
      channel: 'SMS',
      from: sender_id,
      source,
      refusal: 'throw',
      recipients: numbers.map((to) => ({ to, text })),
    }),
  );
  return numbers;
}
const countDelivered = async () =>
  (
    await world.kernel.db.one<{ n: number }>(sql`
      select count(*)::int as n from messages where account_id = ${company.account_id} and status = 'delivered'`)
  ).n;
async function countThrottled(): Promise<number> {
  const response = await fetch(`${world.sandbox!.url}/api/stats`);
  const { refused } = (await response.json()) as { refused: Record<string, number> };
  return refused.ESME_RTHROTTLED ?? 0;
}
async function expectOnceEach(numbers: readonly string[], parts = 1): Promise<void> {
  const expected = new Set(numbers);
  const accepted = (await carrier.accepted())
    .filter(({ to }) => expected.has(to))
    .map(({ to, part }) => `${to} ${part}`);
  expect(accepted.length).toBe(numbers.length * parts);
  expect(new Set(accepted).size).toBe(accepted.length);
}
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('a throttling carrier', () => {
  test.each([25, 80])('gets each message once at %i per second, and throttles few of them', async (per_second) => {
    await carrier.set({ throttle_per_second: per_second });
    const numbers = await send('campaign', per_second * 10);
    await until('a third is delivered', async () => (await countDelivered()) >= numbers.length / 3);
    const learned = await countThrottled();
    await until('all are delivered', async () => (await countDelivered()) === numbers.length);
    // Without a pace, most submissions would be throttled.
    expect((await countThrottled()) - learned).toBeLessThanOrEqual(Math.ceil(numbers.length * (2 / 3) * 0.1));
    const paced = await bind();
    expect(paced!.pace_per_second).toBeGreaterThan(0);
    expect(paced!.throttled_count).toBeGreaterThan(0);
    await expectOnceEach(numbers);
    await expectSound();
  });

  test('gets single messages first when a campaign is queued', async () => {
    await carrier.set({ throttle_per_second: 20 });
    await send('campaign', 300);
    await until('the campaign has started', async () => (await countDelivered()) > 60);
    const singles = await send('api', 10);
    await until('the single messages are sent', async () => {
      const expected = new Set(singles);
      return (await carrier.accepted()).filter(({ to }) => expected.has(to)).length === singles.length;
    });
    expect(await countDelivered()).toBeLessThan(300);
    await carrier.set({ throttle_per_second: 0 });
    await until('all are delivered', async () => (await countDelivered()) === 310);
    await expectOnceEach(singles);
    await expectSound();
  });

  test('gets each segment once when messages are long', async () => {
    await carrier.set({ throttle_per_second: 30 });
    const numbers = await send('campaign', 60, 'A long story of many words. '.repeat(13));
    await until('all are delivered', async () => (await countDelivered()) === numbers.length);
    await carrier.set({ throttle_per_second: 0 });
    await expectOnceEach(numbers, 3);
    await expectSound();
  });
});

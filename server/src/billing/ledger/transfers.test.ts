import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { makeSubAccount } from '../../test/team.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';

let world: World;
let parent: Company;
let sub: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  parent = await makeCompany(world.kernel, { balance_micros: 100_000_000 });
  sub = await makeSubAccount(world.kernel, parent);
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const transfer = (direction: string, amount_micros: unknown, token = parent.token, headers = {}) =>
  world.as(token).post(`/v1/accounts/self/subaccounts/${sub}/transfers`, { direction, amount_micros }, headers);

test('money moves to a sub-account and back, and both ledgers stay balanced', async () => {
  const there = await transfer('to', 40_000_000);
  expect([there.status, there.body.data]).toMatchObject([
    201,
    { available_micros: 60_000_000, sub_account_available_micros: 40_000_000 },
  ]);
  const back = await transfer('from', 15_000_000);
  expect(back.body.data).toMatchObject({ available_micros: 75_000_000, sub_account_available_micros: 25_000_000 });
  const kinds = await world.kernel.db.rows<{ kind: string }>(
    sql`select kind from ledger where account_id = ${sub} order by id`,
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(['transfer_in', 'transfer_out']);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('neither side can send more than it has, and concurrent transfers in both directions keep the sum', async () => {
  expect(code(await transfer('from', 30_000_000))).toBe(7909);
  expect(code(await transfer('to', 80_000_000))).toBe(7909);
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => transfer(index % 2 === 0 ? 'to' : 'from', 1_000_000 * (index + 1))),
  );
  const { sum } = await world.kernel.db.one<{ sum: number }>(sql`
    select sum(available_micros)::bigint as sum from balances where account_id in (${parent.account_id}, ${sub})`);
  expect(sum).toBe(100_000_000);
});

test('a repeated request with the same key moves money once', async () => {
  const headers = { 'idempotency-key': 'transfer-1' };
  const [first, second] = [
    await transfer('to', 1_000_000, parent.token, headers),
    await transfer('to', 1_000_000, parent.token, headers),
  ];
  expect(second.body.data).toEqual(first.body.data);
});

test('another company cannot move the money of a sub-account', async () => {
  const stranger = await makeCompany(world.kernel);
  expect((await transfer('from', 1_000_000, stranger.token)).status).toBe(404);
  expect((await transfer('to', -1_000_000)).status).toBe(400);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { makeSubAccount } from '../../test/team.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { charge, credit } from '../billing.ts';
import { checkBalance } from './low_balance.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const UNIT = 1_000_000;
const SETTINGS = {
  enabled: true,
  threshold_micros: 10 * UNIT,
  amount_micros: 20 * UNIT,
  daily_limit_micros: 60 * UNIT,
};

async function makeFamily(parent_micros = 100 * UNIT) {
  const parent: Company = await makeCompany(world.kernel, { balance_micros: parent_micros });
  const sub = await makeSubAccount(world.kernel, parent);
  await world.kernel.db.tx((tx) =>
    credit(tx, { account_id: sub, amount_micros: 15 * UNIT, kind: 'bonus', key: 'start', note: 'Test' }),
  );
  const caller = world.as(parent.token);
  const path = `/v1/accounts/self/subaccounts/${sub}/refill`;
  const save = (change: object = {}) => caller.put(path, { ...SETTINGS, ...change });
  const state = async () => (await caller.get(path)).body.data;
  const spend = (amount_micros: number, key: string) =>
    world.kernel.db.tx((tx) => charge(tx, { account_id: sub, amount_micros, key, note: 'Spent in this test' }));
  const available = async (account_id: string) =>
    (
      await world.kernel.db.one<{ available_micros: number }>(
        sql`select available_micros from balances where account_id = ${account_id}`,
      )
    ).available_micros / UNIT;
  const balances = async () => [await available(parent.account_id), await available(sub)];
  const transfers = () =>
    world.kernel.db.rows<{ amount_micros: number; note: string }>(sql`
      select amount_micros, note from ledger where account_id = ${sub} and kind = 'transfer_in' order by id`);
  const check = () => checkBalance(world.kernel, sub);
  const mails = async () =>
    (
      await world.kernel.db.rows<{ subject: string }>(sql`
        select subject from mails where account_id = ${parent.account_id} and subject like '%refill%' order by id`)
    ).map(({ subject }) => subject);
  return { parent, sub, caller, path, save, state, spend, balances, transfers, check, mails };
}

test('one crossing leads to one transfer, however many messages and jobs cross the threshold at once', async () => {
  const { save, spend, balances, transfers, check, sub } = await makeFamily();
  expect((await save()).body.data).toMatchObject({ enabled: true, today_micros: 0, stop_reason: null });
  await check();
  expect(await transfers()).toEqual([]);
  const level = await world.kernel.db.one(sql`
    select watch_below_micros from balances where account_id = ${sub}`);
  expect(level).toEqual({ watch_below_micros: 10 * UNIT });
  await Promise.all(Array.from({ length: 8 }, (_, index) => spend(UNIT, `spend-${index}`)));
  await Promise.all([check(), check(), check(), check()]);
  expect((await transfers()).map(({ amount_micros }) => amount_micros)).toEqual([20 * UNIT]);
  expect(await balances()).toEqual([80, 27]);
  await spend(18 * UNIT, 'again');
  await Promise.all([check(), check()]);
  expect(await transfers()).toHaveLength(2);
  expect(await balances()).toEqual([60, 29]);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('simultaneous refills and transfers in both directions neither deadlock nor lose money', async () => {
  const { save, spend, balances, caller, check, sub } = await makeFamily();
  await save();
  const transfer = (direction: 'to' | 'from') =>
    caller.post(`/v1/accounts/self/subaccounts/${sub}/transfers`, { direction, amount_micros: UNIT });
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, (_, index) => transfer(index % 2 ? 'to' : 'from')),
    ...Array.from({ length: 6 }, (_, index) => spend(UNIT, `spend-${index}`).then(check)),
  ]);
  expect(replies.filter((reply) => typeof reply === 'object' && reply.status >= 500)).toEqual([]);
  const [upper = 0, child = 0] = await balances();
  expect(upper + child).toBe(109);
});

test('one refill is large enough to reach the threshold', async () => {
  const { save, spend, balances, transfers, check } = await makeFamily();
  await save({ threshold_micros: 50 * UNIT });
  await spend(10 * UNIT, 'spend');
  await check();
  expect(await transfers()).toEqual([{ amount_micros: 60 * UNIT, note: expect.stringContaining('automatic refill') }]);
  expect(await balances()).toEqual([40, 65]);
});

test('refills wait until the next day at the limit per day, and an email says so', async () => {
  const { save, spend, balances, state, transfers, check, mails, sub } = await makeFamily();
  await save({ daily_limit_micros: 20 * UNIT });
  await spend(6 * UNIT, 'first');
  await check();
  await spend(25 * UNIT, 'second');
  await check();
  await check();
  expect(await balances()).toEqual([80, 4]);
  expect(await state()).toMatchObject({ today_micros: 20 * UNIT, next_date: expect.any(String), stop_reason: null });
  expect(await mails()).toHaveLength(1);
  await world.kernel.db.run(sql`
    update refills set day = day - 1, next_date = now() - interval '1 second' where account_id = ${sub}`);
  await check();
  expect(await transfers()).toHaveLength(2);
  expect(await balances()).toEqual([60, 24]);
});

test('refills stop when the parent balance is too low, and saving the settings starts them again', async () => {
  const { save, spend, balances, state, transfers, check, mails, parent } = await makeFamily(12 * UNIT);
  await save();
  await spend(6 * UNIT, 'first');
  await check();
  await check();
  expect(await state()).toMatchObject({ stop_reason: 'balance_short' });
  expect(await mails()).toEqual([expect.stringMatching(/^Automatic refill of .+ has stopped$/)]);
  expect(await balances()).toEqual([12, 9]);
  await world.kernel.db.tx((tx) =>
    credit(tx, {
      ...{ account_id: parent.account_id, amount_micros: 50 * UNIT, kind: 'bonus', key: 'more', note: 'Test' },
    }),
  );
  await check();
  expect(await transfers()).toEqual([]);
  expect((await save()).body.data.stop_reason).toBeNull();
  await check();
  expect(await balances()).toEqual([42, 29]);
});

test('a refill happens once when the worker is killed before it is stored', async () => {
  const { save, spend, balances, transfers, check } = await makeFamily();
  await save();
  await spend(6 * UNIT, 'spend');
  const killed = await startWorkerProcess(world, { FAILPOINT: 'refill.moved' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect([await balances(), await transfers()]).toEqual([[100, 9], []]);
  // The job queue runs the job again when the heartbeat of the dead worker is overdue.
  await check();
  await check();
  expect(await balances()).toEqual([80, 29]);
});

test.each([
  ['a limit below the amount', { daily_limit_micros: 10 * UNIT }, 2507],
  ['a negative threshold', { threshold_micros: -UNIT }, 2041],
  ['an amount of zero', { amount_micros: 0 }, 2041],
])('settings with %s are refused', async (_, change, expected) => {
  const { save } = await makeFamily();
  expect(code(await save(change))).toBe(expected);
});

test('another company cannot read or change the refill, and a blocked sub-account gets none', async () => {
  const { save, spend, transfers, check, path, sub } = await makeFamily();
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect([(await stranger.get(path)).status, (await stranger.put(path, SETTINGS)).status]).toEqual([404, 404]);
  await save();
  await world.kernel.db.run(sql`update accounts set status = 'BLOCKED' where id = ${sub}`);
  await spend(6 * UNIT, 'spend');
  await check();
  expect(await transfers()).toEqual([]);
});

import { Problem } from '@parley/contract/problem.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { runChecks } from '../kernel/db/check.ts';
import { Db, sql } from '../kernel/db/db.ts';
import { type Clone, cloneDatabase } from '../test/database/clone.ts';
import { sample } from '../test/soak/soak.ts';
import { billingChecks, closeHolds, credit, openHold } from './billing.ts';

let clone: Clone;
let db: Db;
beforeAll(async () => {
  clone = await cloneDatabase();
  db = new Db({ url: clone.url, max: 40 });
});
afterAll(async () => {
  await db.close();
  await clone.drop();
});

async function account(available_micros = 0, credit_limit_micros = 0): Promise<string> {
  const account_id = newId();
  await db.tx(async (tx) => {
    await tx.run(
      sql`insert into accounts (id, company_name, status) values (${account_id}, ${`Harbour ${account_id}`},
      'VERIFIED')`,
    );
    await tx.run(sql`
      insert into balances (account_id, currency, credit_limit_micros) values (${account_id}, 'USD',
        ${credit_limit_micros})`);
    if (available_micros > 0)
      await credit(tx, { account_id, amount_micros: available_micros, kind: 'top_up', key: 'first' });
  });
  return account_id;
}

const balance = (account_id: string) =>
  db.one<{ available_micros: number; held_micros: number }>(
    sql`select available_micros, held_micros from balances where account_id = ${account_id}`,
  );
const ledger = (account_id: string) =>
  db.rows<{ kind: string; amount_micros: number; available_after_micros: number; held_after_micros: number }>(sql`
    select kind, amount_micros, available_after_micros, held_after_micros from ledger
    where account_id = ${account_id} order by id`);
const hold = (account_id: string, amount_micros: number) =>
  db.tx((tx) => openHold(tx, { account_id, amount_micros, message_count: 1 }));
const close = (account_id: string, hold_id: string, outcome: 'settled' | 'released', amount_micros: number) =>
  db.tx((tx) => closeHolds(tx, [{ account_id, hold_id, outcome, amount_micros, message_count: 1, campaign_id: null }]));
const broken = async () => (await runChecks(db, billingChecks)).filter((finding) => !finding.ok);

describe('a hold', () => {
  test('reserves money that can be partly settled and partly released', async () => {
    const account_id = await account(1_000);
    const hold_id = await hold(account_id, 300);
    expect(await balance(account_id)).toEqual({ available_micros: 700, held_micros: 300 });
    await db.tx((tx) =>
      closeHolds(tx, [
        { account_id, hold_id, outcome: 'settled', amount_micros: 100, message_count: 1, campaign_id: null },
        { account_id, hold_id, outcome: 'released', amount_micros: 50, message_count: 1, campaign_id: null },
        { account_id, hold_id, outcome: 'settled', amount_micros: 100, message_count: 1, campaign_id: null },
      ]),
    );
    expect(await balance(account_id)).toEqual({ available_micros: 750, held_micros: 50 });
    expect(await ledger(account_id)).toEqual([
      { kind: 'top_up', amount_micros: 1_000, available_after_micros: 1_000, held_after_micros: 0 },
      { kind: 'hold', amount_micros: 300, available_after_micros: 700, held_after_micros: 300 },
      { kind: 'release', amount_micros: 50, available_after_micros: 750, held_after_micros: 250 },
      { kind: 'settle', amount_micros: 200, available_after_micros: 750, held_after_micros: 50 },
    ]);
    expect(await broken()).toEqual([]);
  });

  test('is rejected and not stored when it exceeds the credit limit', async () => {
    const account_id = await account(100, 50);
    await expect(hold(account_id, 151)).rejects.toMatchObject({ name: 'BALANCE_NOT_ENOUGH', status: 402 });
    expect(await ledger(account_id)).toHaveLength(1);
    await hold(account_id, 150);
    expect(await balance(account_id)).toEqual({ available_micros: -50, held_micros: 150 });
    await expect(hold(account_id, 1)).rejects.toMatchObject({ name: 'BALANCE_NOT_ENOUGH' });
    // A free message can be sent without a balance.
    await hold(account_id, 0);
  });

  test('cannot be closed for more than its open amount or by another account', async () => {
    const account_id = await account(1_000);
    const [stranger, hold_id] = [await account(1_000), await hold(account_id, 100)];
    await hold(stranger, 500);
    await hold(account_id, 500);
    await expect(close(account_id, hold_id, 'released', 101)).rejects.toThrow();
    await expect(close(stranger, hold_id, 'released', 100)).rejects.toThrow();
    expect(await balance(account_id)).toEqual({ available_micros: 400, held_micros: 600 });
    expect(await balance(stranger)).toEqual({ available_micros: 500, held_micros: 500 });
  });

  test('succeeds exactly five times in 32 concurrent attempts when the balance covers five', async () => {
    const account_id = await account(59);
    const results = await Promise.allSettled(Array.from({ length: 32 }, () => hold(account_id, 11)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'BALANCE_NOT_ENOUGH' });
    }
    expect(await balance(account_id)).toEqual({ available_micros: 4, held_micros: 55 });
    expect(await broken()).toEqual([]);
  });

  test('can be closed at the same time as other holds, in any account order, without a deadlock', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => account(1_000)));
    const holds = await Promise.all(accounts.map((account_id) => hold(account_id, 1_000)));
    const closings = accounts.map((account_id, index) => ({
      ...{ account_id, hold_id: holds[index]!, outcome: 'settled' as const, amount_micros: 1, message_count: 1 },
      campaign_id: null,
    }));
    const orders = [closings, closings.toReversed(), [closings[2]!, closings[0]!], [closings[3]!, closings[1]!]];
    await Promise.all(Array.from({ length: 24 }, (_, i) => db.tx((tx) => closeHolds(tx, orders[i % 4]!))));
    expect(await balance(accounts[0]!)).toEqual({ available_micros: 0, held_micros: 1_000 - 18 });
    expect(await broken()).toEqual([]);
  });

  test('publishes one event per transaction with the final balance', async () => {
    const account_id = await account(1_000);
    await db.run(sql`delete from events where account_id = ${account_id}`);
    await db.tx(async (tx) => {
      const first = await openHold(tx, { account_id, amount_micros: 10, message_count: 1 });
      await openHold(tx, { account_id, amount_micros: 20, message_count: 1 });
      await closeHolds(tx, [
        { account_id, hold_id: first, outcome: 'released', amount_micros: 10, message_count: 1, campaign_id: null },
      ]);
    });
    const events = await db.rows(sql`select type, payload from events where account_id = ${account_id}`);
    expect(events).toMatchObject([
      { type: 'balance.changed', payload: { id: account_id, balance: 0.00098, held_micros: 20, currency: 'USD' } },
    ]);
  });
});

describe('a credit', () => {
  test('is booked once per key, even concurrently, and is rejected with a different amount', async () => {
    const account_id = await account();
    const pay = (amount_micros: number) =>
      db.tx((tx) => credit(tx, { account_id, amount_micros, kind: 'top_up', key: 'payment:1' }));
    const results = await Promise.all(Array.from({ length: 8 }, () => pay(500)));
    expect(results.filter(Boolean)).toHaveLength(1);
    await expect(pay(501)).rejects.toThrow('a different amount');
    expect(await balance(account_id)).toEqual({ available_micros: 500, held_micros: 0 });
    await expect(
      db.tx((tx) => credit(tx, { account_id: newId(), amount_micros: 1, kind: 'bonus', key: 'x' })),
    ).rejects.toBeInstanceOf(Problem);
  });

  test('creates a ledger entry that cannot be updated or deleted', async () => {
    const account_id = await account(5);
    await expect(db.run(sql`update ledger set amount_micros = 6 where account_id = ${account_id}`)).rejects.toThrow(
      'append-only',
    );
    await expect(db.run(sql`delete from ledger where account_id = ${account_id}`)).rejects.toThrow('append-only');
  });
});

/**
 * The model calculates the money the account should have. After every step, the invariants M1 to M4 are checked in the
 * database.
 */
interface Model {
  available: number;
  limit: number;
  keys: Map<string, number>;
  holds: { id: string; open: number }[];
}
interface Real {
  account_id: string;
}
type Step = fc.AsyncCommand<Model, Real>;

async function agree(model: Model, { account_id }: Real): Promise<void> {
  const heldMicros = model.holds.reduce((sum, hold) => sum + hold.open, 0);
  expect(await balance(account_id)).toEqual({ available_micros: model.available, held_micros: heldMicros });
  expect(await broken()).toEqual([]);
}

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  toString: () => name,
  async run(model, real) {
    await run(model, real);
    await agree(model, real);
  },
});

const amount = fc.integer({ min: 0, max: 400 });
const steps = [
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 500 })).map(([key, micros]) =>
    step(`credit ${key} ${micros}`, async (model, { account_id }) => {
      // A repeated key uses its first amount, like a report that a provider sends twice.
      const earlier = model.keys.get(key);
      const isNew = await db.tx((tx) =>
        credit(tx, { account_id, amount_micros: earlier ?? micros, kind: 'top_up', key }),
      );
      expect(isNew).toBe(earlier === undefined);
      if (earlier === undefined) model.available += micros;
      model.keys.set(key, earlier ?? micros);
    }),
  ),
  amount.map((micros) =>
    step(`hold ${micros}`, async (model, { account_id }) => {
      const isAffordable = model.available - micros >= -model.limit;
      const opening = hold(account_id, micros);
      if (!isAffordable) return expect(opening).rejects.toMatchObject({ name: 'BALANCE_NOT_ENOUGH' });
      model.holds.push({ id: await opening, open: micros });
      model.available -= micros;
    }),
  ),
  fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 4 }).map((parts) =>
    step(`close ${JSON.stringify(parts)}`, async (model, { account_id }) => {
      if (model.holds.length === 0) return;
      const closings = parts.map(([index, share, isSettled]) => {
        const openHold = model.holds[index % model.holds.length]!;
        const micros = share % (openHold.open + 1);
        openHold.open -= micros;
        if (!isSettled) model.available += micros;
        const outcome = isSettled ? ('settled' as const) : ('released' as const);
        return {
          account_id,
          hold_id: openHold.id,
          outcome,
          amount_micros: micros,
          message_count: 1,
          campaign_id: null,
        };
      });
      await db.tx((tx) => closeHolds(tx, closings));
    }),
  ),
  fc.nat().map((index) =>
    step('close too much', async (model, { account_id }) => {
      const openHold = model.holds[index % Math.max(1, model.holds.length)];
      if (openHold) await expect(close(account_id, openHold.id, 'released', openHold.open + 1)).rejects.toThrow();
    }),
  ),
];

test('the ledger stays balanced after any sequence of credits, holds, and closings', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 30 }), fc.constantFrom(0, 100), async (commands, limit) => {
      const account_id = await account(0, limit);
      await fc.asyncModelRun(
        () => ({ model: { available: 0, limit, keys: new Map(), holds: [] }, real: { account_id } }),
        commands,
      );
    }),
    sample(40, 1_000),
  );
});

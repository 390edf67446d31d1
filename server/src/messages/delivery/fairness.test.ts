/** Tests the order of claims between accounts, and that their cost does not depend on the queues of others. */

import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';
import { makeCarrier, makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { PRIORITY } from '../model/traffic_class.ts';
import { Backlog, selectPairs } from '../queue/backlog.ts';
import { type Claimed, type Claimer, claim, claimStatement } from '../queue/claim.ts';
import { recordResponses } from './responses.ts';
import { renewWorker } from './worker_lease.ts';

let world: World;
let claimer: Claimer;
const accounts: string[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  const { connection_id } = await makeCarrier(world.kernel);
  claimer = { connection_id, worker_id: newId(), bind_id: newId() };
  await renewWorker(world.kernel.db, claimer.worker_id);
  // No worker runs, so nothing renews the lease.
  await world.kernel.db.run(sql`update workers set lease_until = now() + interval '1 hour'`);
  for (let index = 0; index < 20; index++) accounts.push((await makeCompany(world.kernel)).account_id);
});
afterAll(() => world?.stop());
afterEach(() => world.kernel.db.run(sql`truncate dispatch, messages`));

/** Queues messages of one account, each a little later than the one before. */
const queue = (account_id: string, traffic_class: TrafficClass, count: number) =>
  world.kernel.db.run(sql`
    with message as (
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
        segments_count, encoding, currency, source, timeline)
      select ${account_id}, gen_random_uuid(), 'MT', 'SMS', 'enroute', gen_random_uuid(), 'Parley', '4474' || n,
        '4474' || n, 'GB', 'Hi', 1, 'GSM-7', 'USD', 'api', '[]'
      from generate_series(1, ${count}::int) n returning id
    )
    insert into dispatch (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number,
      sender_address)
    select ${account_id}, id, ${claimer.connection_id}, 'SMS', ${PRIORITY[traffic_class]},
      now() - interval '1 hour' + row_number() over () * interval '1 millisecond', now() + interval '1 day', '4474',
      'Parley'
    from message`);

/** Claims messages for a bind with this much free capacity, and returns them in order. */
async function claimTurns(backlog: Backlog, turns: number, room: number): Promise<Claimed[]> {
  const all: Claimed[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const shares = await backlog.deal(() => room);
    const rows = await world.kernel.db.tx((tx) => claim(tx, claimer, shares));
    backlog.settle(shares, rows);
    all.push(...rows);
  }
  return all;
}
const countBy = (rows: readonly Claimed[]) =>
  Object.fromEntries(accounts.map((id) => [id, rows.filter(({ account_id }) => account_id === id).length]));

describe('claims', () => {
  test.each([
    [2, 1],
    [2, 10],
    [20, 1],
    [20, 10],
  ])('alternate between %i accounts, %i at a time, when one of them has a much longer queue', async (count, room) => {
    const [busy, ...others] = accounts.slice(0, count);
    await queue(busy!, 'campaign', 3_000);
    for (const id of others) await queue(id, 'campaign', 20);
    const rows = await claimTurns(new Backlog(world.kernel.db, claimer.connection_id), (count * 20) / room, room);
    expect(rows).toHaveLength(count * 20);
    for (const part of [rows.slice(0, count * 10), rows.slice(count * 10)])
      for (const [id, claims] of Object.entries(countBy(part)))
        if (id === busy || others.includes(id)) expect(Math.abs(claims - 10)).toBeLessThanOrEqual(1);
  });

  test('take a code first when 20,000 other messages wait', async () => {
    const [busy, other] = accounts;
    await queue(busy!, 'campaign', 18_000);
    await queue(busy!, 'single', 1_000);
    await queue(busy!, 'code', 1_000);
    const backlog = new Backlog(world.kernel.db, claimer.connection_id);
    await claimTurns(backlog, 5, 2);
    await queue(other!, 'code', 3);
    backlog.wake();
    const rows = await claimTurns(backlog, 4, 2);
    expect(rows.filter(({ account_id }) => account_id === other)).toHaveLength(3);
  });
});

const throttled = (narrow = false): Outcome => ({
  parts: 1,
  accepted: [],
  failure: { kind: 'throttled', code: '0x58', text: 'Throttled', ...(narrow ? { narrow } : {}) },
  detail: {},
});

describe('a throttled message', () => {
  const queued = (id: string) =>
    world.kernel.db.one<{ priority: number; refusals: number; due: boolean }>(sql`
      select priority, refusals, not_before <= now() as due from dispatch
      where message_id = ${id} and stage = 'queued'`);
  const refuse = (rows: readonly Claimed[], outcome: Outcome) =>
    world.kernel.db.tx((tx) =>
      recordResponses(
        tx,
        claimer.connection_id,
        rows.map((row) => ({ row, outcome })),
      ),
    );

  test('precedes new messages of its class and uses no retry when the carrier limits the connection', async () => {
    const [busy, other] = accounts;
    await queue(busy!, 'campaign', 50);
    await queue(other!, 'single', 1);
    const backlog = new Backlog(world.kernel.db, claimer.connection_id);
    const rows = await claimTurns(backlog, 1, 11);
    await refuse(rows, throttled());
    for (const row of rows)
      expect(await queued(row.message_id)).toEqual({ priority: row.priority - 1, refusals: 0, due: true });
    for (const row of rows) backlog.refund(row);
    backlog.wake();
    const again = await claimTurns(backlog, 1, 11);
    expect(again.map(({ message_id }) => message_id).sort()).toEqual(rows.map(({ message_id }) => message_id).sort());
    expect(again.every(({ attempt }) => attempt === 2)).toBe(true);
  });

  test('backs off when the carrier limits only its sender or recipient, or throttles it repeatedly', async () => {
    await queue(accounts[0]!, 'single', 2);
    const backlog = new Backlog(world.kernel.db, claimer.connection_id);
    const [first, second] = await claimTurns(backlog, 1, 2);
    await refuse([first!], throttled(true));
    expect(await queued(first!.message_id)).toEqual({ priority: 4, refusals: 0, due: false });
    let row = second!;
    for (let attempt = 1; attempt <= 3; attempt++) {
      await refuse([row], throttled());
      expect(await queued(row.message_id)).toMatchObject({ due: true });
      backlog.wake();
      [row] = (await claimTurns(backlog, 1, 1)) as [Claimed];
    }
    await refuse([row], throttled());
    expect(await queued(row.message_id)).toEqual({ priority: 4, refusals: 0, due: false });
  });
});

/** Runs the statement, rolls it back, and returns the number of database pages that it read. */
async function countPages(statement: Sql): Promise<number> {
  const [head = '', ...tail] = statement.strings;
  let pages = 0;
  await world.kernel.db
    .tx(async (tx) => {
      const [row] = await tx.rows<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
        ...statement,
        strings: [`explain (analyze, buffers, format json) ${head}`, ...tail],
      });
      const { Plan } = row!['QUERY PLAN'][0]!;
      pages = Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
      throw new Undo();
    }, 'by index')
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  return pages;
}
class Undo extends Error {}

test('a claim reads about as many database pages when another account has queued 100,000 messages', async () => {
  const [busy, ...others] = accounts;
  for (const id of others) await queue(id, 'campaign', 20);
  await queue(others[0]!, 'code', 5);
  const { db } = world.kernel;
  await db.run(sql`analyze dispatch`);
  const shares = [
    { priority: PRIORITY.code, account_id: others[0]!, share: 5 },
    { priority: PRIORITY.campaign, account_id: others[1]!, share: 5 },
  ];
  const measure = async () => ({
    pairs: await countPages(selectPairs(claimer.connection_id, 200)),
    claim: await countPages(claimStatement(claimer, shares)),
  });
  const before = await measure();
  await queue(busy!, 'campaign', 100_000);
  await db.run(sql`analyze dispatch`);
  const after = await measure();
  expect(after.pairs).toBeLessThan(before.pairs * 3 + 100);
  expect(after.claim).toBeLessThan(before.claim * 3 + 100);
}, 60_000);

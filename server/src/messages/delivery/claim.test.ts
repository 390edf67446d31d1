import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { createWorld, type World } from '../../test/world.ts';
import { Batcher } from '../model/batcher.ts';
import { Backlog, type DuePair, shareRoom } from './claim.ts';

const pair = (priority: number, account_id: string, due: number): DuePair => ({ priority, account_id, due });
const listShares = (pairs: DuePair[], room: number, turn = 0) =>
  Object.fromEntries(
    shareRoom(pairs, room, turn).map(({ priority, account_id, share }) => [`${priority}${account_id}`, share]),
  );

describe('free capacity', () => {
  test.each<[string, DuePair[], number, Record<string, number>]>([
    ['is assigned entirely to a single account', [pair(9, 'a', 500)], 50, { '9a': 50 }],
    ['is split evenly between accounts', [pair(9, 'a', 500), pair(9, 'b', 500)], 50, { '9a': 25, '9b': 25 }],
    [
      'is passed to other accounts when one does not need its share',
      [pair(9, 'a', 500), pair(9, 'b', 4)],
      50,
      { '9a': 46, '9b': 4 },
    ],
    [
      'is assigned to urgent messages first',
      [pair(9, 'a', 500), pair(1, 'b', 3), pair(5, 'c', 10)],
      50,
      { '1b': 3, '5c': 10, '9a': 37 },
    ],
    [
      'is assigned as one message per account when it is scarce',
      [pair(9, 'a', 9), pair(9, 'b', 9), pair(9, 'c', 9)],
      2,
      { '9a': 1, '9b': 1 },
    ],
    ['is not assigned when there are no accounts', [], 50, {}],
  ])('%s', (_, pairs, room, expected) => {
    expect(listShares(pairs, room)).toEqual(expected);
  });

  test('is used up to the total need, and no account is assigned more than it needs', () => {
    const anyPairs = fc.uniqueArray(
      fc.record({
        priority: fc.constantFrom(1, 5, 9),
        account_id: fc.constantFrom(...'abcdefghij'),
        due: fc.integer({ min: 0, max: 40 }),
      }),
      { selector: ({ priority, account_id }) => `${priority}${account_id}` },
    );
    fc.assert(
      fc.property(anyPairs, fc.integer({ min: 0, max: 100 }), fc.nat(1_000), (pairs, room, turn) => {
        const before = new Map(pairs.map(({ priority, account_id, due }) => [`${priority}${account_id}`, due]));
        const need = pairs.reduce((sum, { due }) => sum + due, 0);
        const shares = shareRoom(pairs, room, turn);
        expect(shares.reduce((sum, { share }) => sum + share, 0)).toBe(Math.min(room, need));
        for (const { priority, account_id, share } of shares) {
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(before.get(`${priority}${account_id}`)!);
        }
      }),
    );
  });

  test('is offered to different accounts each turn when it is scarce', () => {
    const servedAccounts = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      const pairs = [...'abcdefghij'].map((account_id) => pair(9, account_id, 100));
      for (const { account_id } of shareRoom(pairs, 3, turn)) servedAccounts.add(account_id);
    }
    expect(servedAccounts.size).toBe(10);
  });
});

describe('the backlog', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ role: 'none' });
  });
  afterAll(() => world.stop());

  test('continues to assign messages when it is larger than the counting limit', async () => {
    const { db } = world.kernel;
    const [connection_id, account_id] = [newId(), newId()];
    await db.run(sql`
      insert into dispatch (account_id, message_id, connection_id, channel, expire_date, number, sender_address)
      select ${account_id}, gen_random_uuid(), ${connection_id}, 'SMS', now() + interval '1 day', '4474' || n, 'Parley'
      from generate_series(1, 1100) n`);
    const backlog = new Backlog(db, connection_id);
    const sizes: number[] = [];
    for (let round = 0; round < 4; round++) {
      sizes.push((await backlog.deal(400)).reduce((sum, { share }) => sum + share, 0));
      expect(backlog.mayHaveDue).toBe(true);
    }
    expect(sizes).toEqual([400, 400, 200, 400]);
  });
});

describe('the batcher', () => {
  test('adds items that arrive during a batch to the next batch and rejects only the item that fails', async () => {
    const batches: number[][] = [];
    const gather = new Batcher<number>(
      async (items) => {
        batches.push(items);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (items.includes(13)) throw Object.assign(new Error('bad value'), { code: '22021' });
      },
      { wait_ms: 2, flush_at: 100, max: 50 },
    );
    const all = Array.from({ length: 120 }, (_, item) =>
      gather.add(item).then(
        () => 'stored',
        () => 'refused',
      ),
    );
    const outcomes = await Promise.all(all);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(1);
    expect(outcomes[13]).toBe('refused');
    expect(batches[0]).toHaveLength(50);
    expect(batches.some((batch) => batch.length === 1)).toBe(true);
  });

  test('rejects a whole batch after one attempt when the database is unavailable', async () => {
    let calls = 0;
    const gather = new Batcher<number>(
      async () => {
        calls++;
        throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      },
      { wait_ms: 1, flush_at: 10, max: 50 },
    );
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, item) => gather.add(item)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls).toBe(1);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { createWorld, type World } from '../test/world.ts';
import { Backlog, dealOut, type Pair } from './claim.ts';
import { Gather } from './gather.ts';

const pair = (priority: number, account_id: string, due: number): Pair => ({ priority, account_id, due });
const dealt = (pairs: Pair[], room: number, turn = 0) =>
  Object.fromEntries(
    dealOut(pairs, room, turn).map(({ priority, account_id, share }) => [`${priority}${account_id}`, share]),
  );

describe('room is dealt out', () => {
  test.each<[string, Pair[], number, Record<string, number>]>([
    ['all of it to the only one', [pair(9, 'a', 500)], 50, { '9a': 50 }],
    ['evenly', [pair(9, 'a', 500), pair(9, 'b', 500)], 50, { '9a': 25, '9b': 25 }],
    ['what one does not need goes to the others', [pair(9, 'a', 500), pair(9, 'b', 4)], 50, { '9a': 46, '9b': 4 }],
    ['the urgent first', [pair(9, 'a', 500), pair(1, 'b', 3), pair(5, 'c', 10)], 50, { '1b': 3, '5c': 10, '9a': 37 }],
    ['one each while it lasts', [pair(9, 'a', 9), pair(9, 'b', 9), pair(9, 'c', 9)], 2, { '9a': 1, '9b': 1 }],
    ['nothing to nobody', [], 50, {}],
  ])('%s', (_, pairs, room, expected) => {
    expect(dealt(pairs, room)).toEqual(expected);
  });

  test('never more than there is room or need, never less than both allow, and everybody has a turn', () => {
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
        const shares = dealOut(pairs, room, turn);
        expect(shares.reduce((sum, { share }) => sum + share, 0)).toBe(Math.min(room, need));
        for (const { priority, account_id, share } of shares) {
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(before.get(`${priority}${account_id}`)!);
        }
      }),
    );
  });

  test('when there is not enough for everybody, another begins each time', () => {
    const served = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      const pairs = [...'abcdefghij'].map((account_id) => pair(9, account_id, 100));
      for (const { account_id } of dealOut(pairs, 3, turn)) served.add(account_id);
    }
    expect(served.size).toBe(10);
  });
});

describe('the backlog', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ role: 'none' });
  });
  afterAll(() => world.stop());

  test('deeper than it is counted goes on without a pause', async () => {
    const { db } = world.kernel;
    const [connection_id, account_id] = [newId(), newId()];
    await db.run(sql`
      insert into dispatch (account_id, message_id, connection_id, channel, expire_date, number, sender_address)
      select ${account_id}, gen_random_uuid(), ${connection_id}, 'SMS', now() + interval '1 day', '4474' || n, 'Parley'
      from generate_series(1, 1100) n`);
    const backlog = new Backlog(db, connection_id);
    const sizes: number[] = [];
    for (let deal = 0; deal < 4; deal++) {
      sizes.push((await backlog.deal(400)).reduce((sum, { share }) => sum + share, 0));
      expect(backlog.promising).toBe(true);
    }
    expect(sizes).toEqual([400, 400, 200, 400]);
  });
});

describe('gathering', () => {
  test('what arrives while one batch is worked on makes up the next, and each item knows its own fate', async () => {
    const batches: number[][] = [];
    const gather = new Gather<number>(
      async (items) => {
        batches.push(items);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (items.includes(13)) throw Object.assign(new Error('bad value'), { code: '22021' });
      },
      { wait_ms: 2, enough: 100, max: 50 },
    );
    const all = Array.from({ length: 120 }, (_, item) =>
      gather.add(item).then(
        () => 'stored',
        () => 'refused',
      ),
    );
    const fates = await Promise.all(all);
    expect(fates.filter((fate) => fate === 'refused')).toHaveLength(1);
    expect(fates[13]).toBe('refused');
    expect(batches[0]).toHaveLength(50);
    expect(batches.some((batch) => batch.length === 1)).toBe(true);
  });

  test('a database that is not there refuses all of a batch, once', async () => {
    let calls = 0;
    const gather = new Gather<number>(
      async () => {
        calls++;
        throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
      },
      { wait_ms: 1, enough: 10, max: 50 },
    );
    const fates = await Promise.allSettled(Array.from({ length: 10 }, (_, item) => gather.add(item)));
    expect(fates.every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls).toBe(1);
  });
});

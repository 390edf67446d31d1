import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { createWorld, type World } from '../../test/world.ts';
import { Batcher } from '../model/batcher.ts';
import { Backlog } from './backlog.ts';

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
      sizes.push((await backlog.deal(() => 400)).reduce((sum, { share }) => sum + share, 0));
      expect(backlog.isStale || backlog.next !== null).toBe(true);
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, until, type World } from '../../test/world.ts';
import { sql } from '../db/db.ts';
import { enqueue, type Jobs, job, startJobs, work } from './jobs.ts';

const count = job<{ number: number }>('test.count', { concurrency: 2 });
const keyedJob = job<{ thread: string }>('test.once', { key: ({ thread }) => thread });
const fall = job<object>('test.fall', { retry: 0 });
const daily = job<object>('test.daily', { cron: '0 3 * * *' });

let world: World;
let jobs: Jobs;
const counts: number[] = [];
let running = 0;
let maxRunning = 0;
let falls = 0;
const threads: string[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  jobs = await startJobs(
    world.kernel,
    [
      work(count, async (_, { number }) => {
        maxRunning = Math.max(maxRunning, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        counts.push(number);
      }),
      work(keyedJob, async (_, { thread }) => void threads.push(thread)),
      work(fall, async () => {
        falls++;
        throw new Error('always fails');
      }),
    ],
    true,
  );
});
afterAll(async () => {
  await jobs?.stop();
  await world?.stop();
});

// If each job took one polling interval, they would take longer than this test waits.
test('two workers run a hundred waiting jobs without a pause between them', async () => {
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  await world.kernel.db.tx(async (tx) => {
    for (const number of numbers) await enqueue(tx, count, { number });
  });
  await until('all are counted', () => counts.length >= 100);
  expect(counts.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(maxRunning).toBeLessThanOrEqual(2);
});

test('a failed job does not delay the others', async () => {
  await world.kernel.db.tx(async (tx) => {
    for (let times = 0; times < 5; times++) await enqueue(tx, fall, {});
    for (let number = 100; number < 120; number++) await enqueue(tx, count, { number });
  });
  await until('the others are done', () => counts.length >= 120);
  await until('all have failed', () => falls === 5);
});

test('a job from a rolled-back transaction never runs', async () => {
  const transaction = world.kernel.db.tx(async (tx) => {
    await enqueue(tx, count, { number: -1 });
    throw new Error('rolled back');
  });
  await expect(transaction).rejects.toThrow('rolled back');
  await world.kernel.db.tx((tx) => enqueue(tx, count, { number: 1_000 }));
  await until('the next is done', () => counts.includes(1_000));
  expect(counts).not.toContain(-1);
});

test('only one waiting job per key runs, and another can follow later', async () => {
  await world.kernel.db.tx(async (tx) => {
    for (const thread of ['a', 'b', 'a', 'a', 'b']) await enqueue(tx, keyedJob, { thread });
  });
  await until('both are done', () => new Set(threads).size === 2);
  await world.kernel.db.tx((tx) => enqueue(tx, keyedJob, { thread: 'a' }));
  await until('and one more', () => threads.length === 3);
  expect(threads.toSorted()).toEqual(['a', 'a', 'b']);
});

test('a delayed job starts when it is due', async () => {
  const [now] = (await world.kernel.db.rows<{ now: string }>(sql`select now()::text as now`)) as [{ now: string }];
  const start_after = new Date(Date.parse(now.now) + 1_000);
  await world.kernel.db.tx((tx) => enqueue(tx, count, { number: 2_000 }, { start_after }));
  await until('it has run', () => counts.includes(2_000), 30_000);
});

test('a later start changes the schedule of a job and keeps its queue', async () => {
  const start = async (type: typeof daily): Promise<void> =>
    (await startJobs(world.kernel, [work(type, async () => {})], true)).stop();
  const stored = () =>
    world.kernel.db.rows<{ cron: string; created: string }>(
      sql`select s.cron, q.created_on::text as created from pgboss.schedule s join pgboss.queue q using (name)
          where name = ${daily.name}`,
    );
  await start(daily);
  const [first] = await stored();
  expect(first?.cron).toBe('0 3 * * *');
  await start(job<object>(daily.name, { cron: '0 4 * * *' }));
  expect(await stored()).toEqual([{ cron: '0 4 * * *', created: first!.created }]);
});

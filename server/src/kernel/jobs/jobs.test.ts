import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, until, type World } from '../../test/world.ts';
import { enqueue, type Jobs, job, startJobs, work } from './jobs.ts';

const count = job<{ number: number }>('test.count', { concurrency: 2 });
const once = job<{ thread: string }>('test.once', { key: ({ thread }) => thread });
const fall = job<object>('test.fall', { retry: 0 });

let world: World;
let jobs: Jobs;
const counted: number[] = [];
let together = 0;
let most = 0;
let falls = 0;
const threads: string[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  jobs = await startJobs(
    world.kernel,
    [
      work(count, async (_, { number }) => {
        most = Math.max(most, ++together);
        await new Promise((resolve) => setImmediate(resolve));
        together--;
        counted.push(number);
      }),
      work(once, async (_, { thread }) => void threads.push(thread)),
      work(fall, async () => {
        falls++;
        throw new Error('never');
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
  await until('all are counted', () => counted.length >= 100);
  expect(counted.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(most).toBeLessThanOrEqual(2);
});

test('a failed job does not delay the others', async () => {
  await world.kernel.db.tx(async (tx) => {
    for (let times = 0; times < 5; times++) await enqueue(tx, fall, {});
    for (let number = 100; number < 120; number++) await enqueue(tx, count, { number });
  });
  await until('the others are done', () => counted.length >= 120);
  await until('all have failed', () => falls === 5);
});

test('a job from a rolled-back transaction never runs', async () => {
  const gone = world.kernel.db.tx(async (tx) => {
    await enqueue(tx, count, { number: -1 });
    throw new Error('changed my mind');
  });
  await expect(gone).rejects.toThrow('changed my mind');
  await world.kernel.db.tx((tx) => enqueue(tx, count, { number: 1_000 }));
  await until('the next is done', () => counted.includes(1_000));
  expect(counted).not.toContain(-1);
});

test('only one waiting job per key runs, and another can follow later', async () => {
  await world.kernel.db.tx(async (tx) => {
    for (const thread of ['a', 'b', 'a', 'a', 'b']) await enqueue(tx, once, { thread });
  });
  await until('both are done', () => new Set(threads).size === 2);
  await world.kernel.db.tx((tx) => enqueue(tx, once, { thread: 'a' }));
  await until('and one more', () => threads.length === 3);
  expect(threads.toSorted()).toEqual(['a', 'a', 'b']);
});

import { expect, test } from 'vitest';
import { SessionError } from './pending.ts';
import { Window } from './window.ts';

const maxPerSecond = (times: number[]) =>
  Math.max(...times.map((from, index) => times.slice(index).filter((time) => time < from + 1_000).length));
const stall = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('a window stays within its rate in every second, even after the event loop is blocked', async () => {
  const window = new Window(1_000, 150);
  const times: number[] = [];
  const all = Array.from({ length: 260 }, () =>
    window.run(async () => {
      times.push(performance.now());
    }),
  );
  setTimeout(() => stall(150), 300);
  setTimeout(() => stall(150), 700);
  await Promise.all(all);
  // Catching up on 20 ms of timer delay allows three starts more than 150.
  expect(maxPerSecond(times)).toBeLessThanOrEqual(154);
});

test('a task occupies its slot until it resolves or rejects', async () => {
  const window = new Window(2);
  const tasks = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = tasks.map((task) => window.run(() => task.promise));
  const outcomes = Promise.allSettled(results);
  expect([window.in_flight, window.waiting, window.free]).toEqual([2, 3, 0]);
  tasks[1]!.reject(new Error('failed'));
  await Promise.allSettled([results[1]]);
  expect([window.in_flight, window.waiting]).toEqual([2, 2]);
  for (const [index, task] of tasks.entries()) task.resolve(index);
  expect((await outcomes).map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect([window.in_flight, window.waiting, window.free]).toEqual([0, 0, 2]);
});

test('a paused window starts its tasks only when it resumes, in order', async () => {
  const window = new Window(3);
  const startedTasks: number[] = [];
  window.pause();
  expect(window.free).toBe(0);
  const all = [0, 1, 2, 3, 4, 5].map((number) =>
    window.run(async () => {
      startedTasks.push(number);
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(startedTasks).toEqual([]);
  window.resume();
  await Promise.all(all);
  expect(startedTasks).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a closed window rejects waiting tasks as never sent and lets running tasks finish', async () => {
  const window = new Window(1, 1_000);
  const task = Promise.withResolvers<string>();
  const running = window.run(() => task.promise);
  const waiting = window.run(async () => expect.unreachable());
  window.close('lost');
  const error = await waiting.catch((reason: SessionError) => reason);
  expect(error).toBeInstanceOf(SessionError);
  expect(error).toMatchObject({ kind: 'closed', sent: false, message: 'lost' });
  await expect(window.run(async () => 1)).rejects.toMatchObject({ kind: 'closed', sent: false });
  task.resolve('done');
  expect(await running).toBe('done');
});

test('a window drains a long queue without copying it for each task', async () => {
  const window = new Window(50);
  let completed = 0;
  const all = Array.from({ length: 50_000 }, () => window.run(async () => void completed++));
  expect(window.waiting).toBe(49_950);
  await Promise.all(all);
  expect([completed, window.waiting]).toEqual([50_000, 0]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Kernel } from '../kernel.ts';
import { PollLoop } from './poll_loop.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const log = { error: () => {} } as unknown as Kernel['log'];

function startLoop(options: { gather_ms?: number; step?: () => Promise<unknown> } = {}) {
  const counted = { steps: 0 };
  const { step, ...more } = options;
  const loop = new PollLoop(
    { log },
    {
      ...{ name: 'test', poll_ms: 1_000, ...more },
      step: async () => {
        counted.steps++;
        return step?.();
      },
    },
  );
  return { loop, counted };
}

test('a loop steps at its interval, and right after a wake-up', async () => {
  const { loop, counted } = startLoop();
  await vi.advanceTimersByTimeAsync(0);
  expect(counted.steps).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(counted.steps).toBe(2);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(counted.steps).toBe(3);
  await loop.stop();
});

test('wake-ups within `gather_ms` share one step', async () => {
  const { loop, counted } = startLoop({ gather_ms: 40 });
  await vi.advanceTimersByTimeAsync(0);
  for (let count = 0; count < 10; count++) {
    loop.wake();
    await vi.advanceTimersByTimeAsync(3);
  }
  expect(counted.steps).toBe(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(counted.steps).toBe(2);
  await vi.advanceTimersByTimeAsync(900);
  expect(counted.steps).toBe(2);
  loop.wake();
  await loop.stop();
  expect(counted.steps).toBe(2);
});

test('a step that fails is repeated at the interval, whatever wakes the loop meanwhile', async () => {
  const { loop, counted } = startLoop({
    step: async () => {
      loop.wake();
      throw new Error('the database is away');
    },
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(counted.steps).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(counted.steps).toBe(4);
  await loop.stop();
});

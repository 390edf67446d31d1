import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

const counter = () => {
  let calls = 0;
  return { load: async () => ++calls, calls: () => calls };
};

test('a result is shared until its time has passed, also while it is still loading', async () => {
  const recent = new Recent<number>({ keep_ms: 100, size: 10 });
  const { load, calls } = counter();
  expect(await Promise.all([recent.read('a', 0, load), recent.read('a', 50, load)])).toEqual([1, 1]);
  expect(await recent.read('a', 99, load)).toBe(1);
  expect(await recent.read('b', 99, load)).toBe(2);
  expect(await recent.read('a', 100, load)).toBe(3);
  expect(calls()).toBe(3);
});

test('a failure is not kept', async () => {
  const recent = new Recent<number>({ keep_ms: 100, size: 10 });
  await expect(recent.read('a', 0, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await recent.read('a', 0, async () => 7)).toBe(7);
});

test('the oldest results are dropped when there are too many', async () => {
  const recent = new Recent<number>({ keep_ms: 100, size: 2 });
  const { load, calls } = counter();
  for (const key of ['a', 'b', 'c']) await recent.read(key, 0, load);
  expect(await recent.read('b', 0, load)).toBe(2);
  expect(await recent.read('a', 0, load)).toBe(4);
  expect(calls()).toBe(4);
});

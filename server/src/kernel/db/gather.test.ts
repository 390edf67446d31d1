import { expect, test } from 'vitest';
import { Gather } from './gather.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

function makeGather(at_once = 1) {
  const groups: number[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const gather = new Gather<number, number>(
    (items) => {
      groups.push(items);
      return new Promise((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => item * 10))));
      });
    },
    { max: 3, at_once },
  );
  const end = (index: number, error?: Error) => {
    ends[index]!(error);
    return tick();
  };
  return { gather, groups, end };
}

test('a gather starts the first item immediately and groups those that arrive in the meantime', async () => {
  const { gather, groups, end } = makeGather();
  const first = gather.add(1);
  await tick();
  const others = [2, 3, 4, 5].map((item) => gather.add(item));
  await tick();
  expect(groups).toEqual([[1]]);
  await end(0);
  expect(await first).toBe(10);
  await tick();
  expect(groups).toEqual([[1], [2, 3, 4]]);
  await end(1);
  await tick();
  expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  expect(gather.idle).toBe(false);
  await end(2);
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50]);
  expect(gather.idle).toBe(true);
});

test('a gather fails only the items whose work failed', async () => {
  const { gather, end } = makeGather(2);
  const first = gather.add(1);
  await tick();
  const second = gather.add(2);
  await tick();
  const failure = expect(first).rejects.toThrow('no connection');
  await end(0, new Error('no connection'));
  await end(1);
  await failure;
  expect(await second).toBe(20);
});

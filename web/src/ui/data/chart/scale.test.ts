import { expect, test } from 'vitest';
import { axisTicks, labelStep } from './scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [10, [0, 3, 6, 9, 12]],
  [97, [0, 25, 50, 75, 100]],
  [1_999, [0, 500, 1_000, 1_500, 2_000]],
  [4_200_000, [0, 2_000_000, 4_000_000, 6_000_000]],
])('an axis up to %i has the steps %j', (max, ticks) => expect(axisTicks(max)).toEqual(ticks));

test('an axis shows every nth label when the labels would touch', () => {
  expect(labelStep(7, 700, 50)).toBe(1);
  expect(labelStep(90, 700, 50)).toBe(7);
  expect(labelStep(7, 0, 50)).toBe(350);
});

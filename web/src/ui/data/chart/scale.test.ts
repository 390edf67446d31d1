import { expect, test } from 'vitest';
import { axisTicks, placeLabels } from './scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [10, [0, 3, 6, 9, 12]],
  [97, [0, 25, 50, 75, 100]],
  [1_999, [0, 500, 1_000, 1_500, 2_000]],
  [4_200_000, [0, 2_000_000, 4_000_000, 6_000_000]],
])('an axis up to %i has the steps %j', (max, ticks) => expect(axisTicks(max)).toEqual(ticks));

const band = (count: number, width: number) => ({ left: 30, width, band: width / count });
const indexes = (count: number, width: number, label: number) =>
  placeLabels(count, band(count, width), label).map(({ index }) => index);

test('an axis shows every nth label when the labels would touch', () => {
  expect(indexes(7, 700, 50)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(indexes(90, 700, 50)).toHaveLength(13);
  expect(indexes(7, 0, 50)).toEqual([0]);
});

test('a label that would touch another is left out', () => {
  const labels = placeLabels(20, band(20, 300), 128);
  expect(labels.map(({ index }) => index)).toEqual([0, 18]);
  for (const { x } of labels) expect([x >= 64, x <= 330 - 64]).toEqual([true, true]);
});

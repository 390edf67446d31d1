import { expect, test } from 'vitest';
import { splitUnits, volumeMicros } from './volume_steps.ts';

const STEPS = [
  { above_units: 10, price_micros: 40 },
  { above_units: 100, price_micros: 30 },
];

test.each([
  [{ start: 0, units: 10 }, [[10, 50]]],
  [{ start: 9, units: 1 }, [[1, 50]]],
  [{ start: 10, units: 1 }, [[1, 40]]],
  [
    { start: 9, units: 3 },
    [
      [1, 50],
      [2, 40],
    ],
  ],
  [
    { start: 0, units: 102 },
    [
      [10, 50],
      [90, 40],
      [2, 30],
    ],
  ],
  [{ start: 100, units: 5 }, [[5, 30]]],
  [{ start: 5, units: 0 }, []],
] as const)('the units %j cost the price of their step', (next, parts) => {
  expect(splitUnits(50, STEPS, next).map(({ units, price_micros }) => [units, price_micros])).toEqual(parts);
});

test('the units of a month cost the same, however they are divided into messages', () => {
  const whole = volumeMicros(50, STEPS, { start: 0, units: 150 });
  for (const size of [1, 2, 7, 64, 149]) {
    let sum = 0;
    for (let start = 0; start < 150; start += size)
      sum += volumeMicros(50, STEPS, { start, units: Math.min(size, 150 - start) });
    expect(sum).toBe(whole);
  }
});

test('a step never raises the price of the price list', () => {
  expect(volumeMicros(35, STEPS, { start: 9, units: 3 })).toBe(3 * 35);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CENT, MAXIMUM_TOP_UP, MINIMUM_TOP_UPS, SUGGESTED_TOP_UPS, taxAmount } from './amounts.ts';

test.each([
  [100, 19, 19],
  [0.01, 19, 0],
  [0.03, 19, 0.01],
  [99.99, 25.5, 25.5],
  [10, 7.125, 0.71],
  [10, 0, 0],
  [1_000_000, 27, 270_000],
])('the tax on %d at %d percent is %d', (amount, rate, tax) => {
  expect(taxAmount(Math.round(amount * 100) * CENT, rate)).toBe(Math.round(tax * 100) * CENT);
});

test('the tax is a whole number of cents, less than a cent from the exact amount', () => {
  const cents = fc.integer({ min: 0, max: MAXIMUM_TOP_UP / CENT });
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 27_000 }), (amount, thousandths) => {
      const tax = taxAmount(amount * CENT, thousandths / 1_000) / CENT;
      expect(Number.isInteger(tax)).toBe(true);
      // Whole numbers, so that the comparison is exact.
      const difference = BigInt(tax) * 100_000n - BigInt(amount) * BigInt(thousandths);
      expect(difference <= 50_000n && difference >= -50_000n).toBe(true);
    }),
  );
});

test('top-ups start at the minimum, are suggested above it, and have a maximum', () => {
  const dollars = (amounts: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(amounts).map(([name, micros]) => [name, micros / 1_000_000]));
  expect(dollars(MINIMUM_TOP_UPS)).toEqual({ USD: 27, EUR: 25, AMD: 10_500, RUB: 2_600, AED: 96 });
  expect(dollars(SUGGESTED_TOP_UPS)).toEqual({ USD: 124, EUR: 120, AMD: 50_000, RUB: 11_100, AED: 461 });
  expect(MAXIMUM_TOP_UP).toBe(1_000_000_000_000);
});

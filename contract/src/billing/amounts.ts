/** Amounts of payments: the smallest top-up per currency, suggestions, and cents. */
import type { z } from 'zod';
import type { currency } from '../common.ts';

type Currency = z.output<typeof currency>;

/** One cent in micro-units. Every currency on offer has two decimals. */
export const CENT = 10_000;
const UNIT = 100 * CENT;

export const MINIMUM_TOP_UPS: Readonly<Record<Currency, number>> = {
  USD: 27 * UNIT,
  EUR: 25 * UNIT,
  AMD: 10_500 * UNIT,
  RUB: 2_600 * UNIT,
  AED: 96 * UNIT,
};
/** The amount that forms suggest first. */
export const SUGGESTED_TOP_UPS: Readonly<Record<Currency, number>> = {
  USD: 124 * UNIT,
  EUR: 120 * UNIT,
  AMD: 50_000 * UNIT,
  RUB: 11_100 * UNIT,
  AED: 461 * UNIT,
};
/** The largest payment, in any currency. */
export const MAXIMUM_TOP_UP = 1_000_000 * UNIT;

/** The tax on an amount, rounded to cents. `rate` is a percentage with up to three decimals. */
export const taxAmount = (amount_micros: number, rate: number): number =>
  Math.round((amount_micros * Math.round(rate * 1000)) / 100_000 / CENT) * CENT;

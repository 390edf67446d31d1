/**
 * Prices that fall with the volume of a calendar month in UTC. They are graduated: only the units above a number cost
 * less, so the units of a month cost the same in every order of sending. A unit is what the channel charges for: a
 * segment or a message.
 */
import { z } from 'zod';
import { micros } from '../common.ts';

export const VolumeStep = z.object({
  /** The units of the month after which this price applies. */
  above_units: z.int(),
  price_micros: micros,
});
export type VolumeStep = z.output<typeof VolumeStep>;

/** The units of the same message or batch that cost the same. */
interface PricedUnits {
  units: number;
  price_micros: number;
  /** The step; 0 before the first one. */
  above_units: number;
}

/**
 * Divides the next units of a month by their price. `steps` are in the order of their units. A step never raises the
 * list price.
 */
export function splitUnits(
  list_micros: number,
  steps: readonly VolumeStep[],
  { start, units }: { start: number; units: number },
): PricedUnits[] {
  const parts: PricedUnits[] = [];
  const end = start + units;
  let at = start;
  let n = steps.findLastIndex(({ above_units }) => above_units <= start);
  while (at < end) {
    const until = Math.min(end, steps[n + 1]?.above_units ?? end);
    const price_micros = Math.min(list_micros, steps[n]?.price_micros ?? list_micros);
    parts.push({ units: until - at, price_micros, above_units: steps[n]?.above_units ?? 0 });
    at = until;
    n++;
  }
  return parts;
}

export const volumeMicros = (
  list_micros: number,
  steps: readonly VolumeStep[],
  next: { start: number; units: number },
): number => splitUnits(list_micros, steps, next).reduce((sum, part) => sum + part.units * part.price_micros, 0);

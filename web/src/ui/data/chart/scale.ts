/** The geometry of a chart: the steps of its axis and which labels fit below it. Pure. */

/** About four round steps from 0 to at least `max`: 1, 2, 2.5, or 5 times a power of ten; counts have whole steps. */
export function axisTicks(max: number): number[] {
  if (max <= 0) return [0, 1];
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  return Array.from({ length: Math.ceil(max / whole) + 1 }, (_, index) => index * whole);
}

/**
 * Returns which of `count` labels to draw so that each has at least `min_width` pixels: every nth, starting with the
 * first.
 */
export function labelStep(count: number, width: number, min_width: number): number {
  return Math.max(1, Math.ceil((count * min_width) / Math.max(width, 1)));
}

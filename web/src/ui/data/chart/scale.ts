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

interface Band {
  left: number;
  width: number;
  /** The width of each row. */
  band: number;
}

/**
 * Returns the labels to draw below the axis, and their centers: every nth, starting with the first, so that none
 * touches another. The first and the last stay inside of the chart.
 */
export function placeLabels(count: number, { left, width, band }: Band, label: number): { index: number; x: number }[] {
  const step = Math.max(1, Math.ceil((count * label) / Math.max(width, 1)));
  const placed: { index: number; x: number }[] = [];
  for (let index = 0; index < count; index += step) {
    const x = Math.max(label / 2, Math.min(left + (index + 0.5) * band, left + width - label / 2));
    const last = placed.at(-1);
    if (!last || x - last.x >= label) placed.push({ index, x });
  }
  return placed;
}

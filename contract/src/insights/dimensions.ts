/**
 * The dimensions that split the figures. `price` is whether the price is held, charged, or released; `failure` is why.
 */
export const CHART_DIMENSIONS = [
  'channel',
  'country',
  'network',
  'sender',
  'campaign',
  'source',
  'status',
  'price',
  'failure',
  'user',
  'key',
] as const;
export type ChartDimension = (typeof CHART_DIMENSIONS)[number];

export const CHART_PERIODS = [7, 30, 90] as const;

/** Figures of a period by day and by one dimension, compared with the period before. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { currency, micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { day, dayInput } from './days.ts';
import { CHART_DIMENSIONS, CHART_PERIODS, type ChartDimension } from './dimensions.ts';

export { CHART_DIMENSIONS, CHART_PERIODS, type ChartDimension };

export const MAX_CHART_DAYS = 366;
/** The maximum number of groups in a response. */
export const MAX_CHART_GROUPS = 100;

export const ChartFigures = z.object({
  /** All messages, whatever their direction and status. */
  messages: z.int(),
  /** Outbound messages that are neither scheduled nor canceled; the next three count some of them. */
  sent: z.int(),
  /** Includes `read`. */
  delivered: z.int(),
  read: z.int(),
  failed: z.int(),
  received: z.int(),
  segments: z.int(),
  spend_micros: spend(micros),
});
export type ChartFigures = z.output<typeof ChartFigures>;

export const chartPeriod = {
  days: z.coerce
    .number()
    .int()
    .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)]))
    .optional(),
  /** A period of up to 366 days instead of `days`. Both days are included. */
  from: dayInput.optional(),
  to: dayInput.optional(),
  filter: z
    .object({ channel: channel('VALUE_INVALID') })
    .partial()
    .optional(),
};
export const period = z.object({ from: day, to: day });

export const Charts = z.object({
  /** The first and the last day. */
  period,
  /** The same number of days before, for comparison. */
  previous: period,
  time_zone: z.string(),
  currency,
  /** Every day of the period, oldest first. */
  days: z.array(ChartFigures.extend({ date: day })),
  total: ChartFigures,
  before: ChartFigures,
  /** People who opted out by a reply, by a link, or at the carrier, in the period and in the one before. */
  opt_outs: z.object({ total: z.int(), before: z.int() }),
  by: z.enum(CHART_DIMENSIONS),
  /** By number of messages. Empty values are messages without the property, such as those of no campaign. */
  groups: z.array(ChartFigures.extend({ value: z.string(), label: z.string(), before: ChartFigures })),
  /** The number of groups, which may exceed those in `groups`. */
  groups_total: z.int(),
});
export type Charts = z.output<typeof Charts>;

export const getCharts = endpoint({
  id: 'charts.get',
  method: 'GET',
  path: '/v1/charts',
  summary: 'Get figures by day and by one dimension, for the last 7 days by default',
  needs: 'MESSAGES:view',
  query: z.object({ ...chartPeriod, by: z.enum(CHART_DIMENSIONS).optional() }),
  output: Charts,
  problems: ['CHART_PERIOD_INVALID', 'VALUE_INVALID'],
});

const Delays = z.object({
  value: z.string(),
  label: z.string(),
  /** The number of delivered messages. */
  delivered: z.int(),
  /** Seconds from the acceptance, or from the scheduled time, to the proof of delivery. Estimated to a few percent. */
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
export const DeliveryCharts = z.object({
  period,
  time_zone: z.string(),
  total: ChartFigures,
  before: ChartFigures,
  /** By weekday (1 is Monday) and hour of creation in the account's time zone, without empty hours. */
  hours: z.array(z.object({ weekday: z.int(), hour: z.int(), sent: z.int(), delivered: z.int(), failed: z.int() })),
  /** Why messages failed, most frequent first. */
  reasons: z.array(z.object({ value: z.string(), failed: z.int(), before: z.int() })),
  routes: z.array(Delays),
  networks: z.array(Delays),
});
export type DeliveryCharts = z.output<typeof DeliveryCharts>;

export const getDeliveryCharts = endpoint({
  id: 'charts.get_delivery',
  method: 'GET',
  path: '/v1/charts/delivery',
  summary: 'Get delivery by hour, reasons for failures, and delays by route and network',
  needs: 'MESSAGES:view',
  query: z.object(chartPeriod),
  output: DeliveryCharts,
  problems: ['CHART_PERIOD_INVALID', 'VALUE_INVALID'],
});

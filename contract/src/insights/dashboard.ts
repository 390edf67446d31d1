/** All data for the dashboard, in one call. */
import { z } from 'zod';
import { micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';

const counts = { sent: z.int(), delivered: z.int(), failed: z.int(), received: z.int(), spend_micros: micros };
export const Dashboard = z.object({
  /** Days in the account's time zone, oldest first, without gaps. */
  days: z.array(z.object({ date: z.string(), ...counts })),
  total: z.object(counts),
  /** Counts for the same number of preceding days, for comparison. */
  before: z.object(counts),
  /** Counts by channel for the period. */
  channels: z.array(z.object({ channel: z.string(), ...counts })),
  /** Whether each of the first steps is done. */
  steps: z.record(z.string(), z.boolean()),
});
export type Dashboard = z.output<typeof Dashboard>;

export const getDashboard = endpoint({
  id: 'dashboard.get',
  method: 'GET',
  path: '/v1/dashboard',
  summary: 'Get messages and spending by day, for the last 7 days by default',
  needs: null,
  audience: 'session',
  scans: true,
  query: z.object({
    days: z.coerce
      .number()
      .int()
      .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)]))
      .optional(),
  }),
  output: Dashboard,
  problems: [],
});

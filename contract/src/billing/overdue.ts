/** The account's overdue balance. */
import { z } from 'zod';
import { currency, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const Overdue = z.object({
  account_id: z.string(),
  /** The amount that the account owes; 0 if only its auto top-up was refused. */
  owed_micros: micros,
  currency,
  card_refused: z.boolean(),
  since: timestamp,
  /** When the next reminder is due, or sending is paused. Null means never. */
  next_date: timestamp.nullable(),
  /** True if the account cannot send until it pays. */
  paused: z.boolean(),
});
export type Overdue = z.output<typeof Overdue>;

export const getOverdue = endpoint({
  id: 'overdue.get',
  method: 'GET',
  path: '/v1/overdue',
  summary: 'Get the amount the account owes, or null if nothing is overdue',
  needs: 'PAYMENTS:view',
  output: Overdue.nullable(),
  problems: [],
});

/** Margins, for operators: income from messages, minus carrier charges. */
import { z } from 'zod';
import { currency, listQuery, micros, timestampFilter } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const MARGIN_GROUPS = ['connection', 'country', 'account'] as const;
export type MarginGroup = (typeof MARGIN_GROUPS)[number];

export const Margin = z.object({
  /** The ID of the connection or account, or the code of the country. Empty if the messages reached no connection. */
  key: z.string(),
  name: z.string(),
  currency,
  messages: z.int(),
  segments: z.int(),
  /** The amount that the ledger settled. */
  income_micros: micros,
  /** The total of all known segment costs. */
  cost_micros: micros,
  margin_micros: micros,
  /** The segments without a cost in this currency. Enter the cost of their routes. */
  uncosted_segments: z.int(),
});
export type Margin = z.output<typeof Margin>;

const filter = { from: timestampFilter('start'), to: timestampFilter('end') };
const group = z.enum(MARGIN_GROUPS).default('connection');

export const listMargins = endpoint({
  id: 'margins.list',
  method: 'GET',
  path: '/v1/margins',
  summary: 'List margins by connection, country, or account, per day in UTC, highest income first',
  needs: 'INVOICES:view',
  audience: 'operator',
  scans: true,
  query: listQuery(filter).extend({ group }),
  list: true,
  output: Margin,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const exportMargins = endpoint({
  id: 'margins.export',
  method: 'GET',
  path: '/v1/margins/export',
  summary: 'Download margins as CSV',
  needs: 'INVOICES:view',
  audience: 'operator',
  scans: true,
  query: listQuery(filter).extend({ group }),
  raw: 'text/csv',
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

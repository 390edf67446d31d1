/**
 * Statements of carriers, for operators: what a carrier charged over a connection, compared with the costs recorded
 * when the messages were settled.
 */
import { z } from 'zod';
import { currency, idParams, listQuery, micros, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

/** Maximum size of a statement in characters. */
export const MAX_CARRIER_STATEMENT = 900_000;

/** `equal`: both sides agree to the cent. `resolved`: an operator has closed the difference with a reason. */
export const CARRIER_LINE_STATUSES = ['open', 'resolved', 'equal'] as const;
export const CARRIER_LINE_STATUS: Readonly<Record<(typeof CARRIER_LINE_STATUSES)[number], StatusWord>> = {
  open: statusWord('Open', 'fail', 'alert'),
  resolved: statusWord('Resolved', 'off', 'check'),
  equal: statusWord('Equal', 'ok', 'check'),
};

/** A day in UTC, such as 2027-01-31. */
const day = z.string();

export const CarrierStatement = z.object({
  id: z.string(),
  connection_id: z.string(),
  /** Null if the connection was deleted. */
  connection_name: z.string().nullable(),
  filename: z.string(),
  currency,
  from_day: day,
  until_day: day,
  their_segments: z.int(),
  their_micros: micros,
  our_segments: z.int(),
  our_micros: micros,
  /** The countries whose difference is open. */
  open_count: z.int(),
  create_date: timestamp,
  compare_date: timestamp,
});
export type CarrierStatement = z.output<typeof CarrierStatement>;

export const CarrierLine = z.object({
  id: z.string(),
  statement_id: z.string(),
  connection_id: z.string(),
  connection_name: z.string().nullable(),
  from_day: day,
  until_day: day,
  country: z.string(),
  currency,
  their_segments: z.int(),
  their_micros: micros,
  our_segments: z.int(),
  /** The recorded cost in the statement's currency. */
  our_micros: micros,
  /** Segments without a recorded cost in this currency. */
  uncosted_segments: z.int(),
  status: z.enum(CARRIER_LINE_STATUSES),
  reason: z.string().nullable(),
  resolved_by: z.string().nullable(),
  resolve_date: timestamp.nullable(),
});
export type CarrierLine = z.output<typeof CarrierLine>;

export const listCarrierStatements = endpoint({
  id: 'carrier_statements.list',
  method: 'GET',
  path: '/v1/carrier_statements',
  summary: 'List the statements of carriers, newest first',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({ connection_id: uuid() }),
  list: true,
  output: CarrierStatement,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const createCarrierStatement = endpoint({
  id: 'carrier_statements.create',
  method: 'POST',
  path: '/v1/carrier_statements',
  summary: 'Compare a statement of a carrier (CSV) with the recorded costs, by country',
  needs: 'INVOICES:edit',
  audience: 'operator',
  body: z.object({
    connection_id: uuid(),
    filename: z.string().trim().min(1).max(200),
    currency,
    /**
     * CSV with a header: `date` (a day or time in UTC), `country` (two letters) or `number`, `segments` (1 if the
     * column is missing), and `amount` (of the line, in units of the currency). Lines can be totals or messages.
     */
    text: z.string().min(1).max(MAX_CARRIER_STATEMENT),
  }),
  status: 201,
  timeout_ms: 60_000,
  output: CarrierStatement,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'CARRIER_STATEMENT_UNREADABLE', 'CARRIER_STATEMENT_OVERLAPS'],
});

export const compareCarrierStatement = endpoint({
  id: 'carrier_statements.compare',
  method: 'PUT',
  path: '/v1/carrier_statements/{id}/compare',
  summary: 'Compare a statement again, for example after late messages were settled',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('CARRIER_STATEMENT_NOT_FOUND'),
  body: z.object({}),
  output: CarrierStatement,
  problems: ['OPERATOR_ONLY', 'CARRIER_STATEMENT_NOT_FOUND'],
});

export const deleteCarrierStatement = endpoint({
  id: 'carrier_statements.delete',
  method: 'DELETE',
  path: '/v1/carrier_statements/{id}',
  summary: 'Delete a statement with its lines',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('CARRIER_STATEMENT_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'CARRIER_STATEMENT_NOT_FOUND'],
});

export const listCarrierLines = endpoint({
  id: 'carrier_lines.list',
  method: 'GET',
  path: '/v1/carrier_lines',
  summary: 'List the countries of carriers’ statements with both sides, newest statement first',
  needs: 'INVOICES:view',
  audience: 'operator',
  query: listQuery({ statuses: wordList(CARRIER_LINE_STATUSES), statement_id: uuid(), connection_id: uuid() }),
  list: true,
  output: CarrierLine,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const resolveCarrierLine = endpoint({
  id: 'carrier_lines.resolve',
  method: 'PUT',
  path: '/v1/carrier_lines/{id}',
  summary: 'Resolve the difference of a country. It opens again if a later comparison finds other values',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: idParams('CARRIER_LINE_NOT_FOUND'),
  body: z.object({ reason: z.string().trim().min(3).max(200) }),
  output: CarrierLine,
  problems: ['OPERATOR_ONLY', 'CARRIER_LINE_NOT_FOUND', 'DIFFERENCE_CLOSED'],
});

export const carrierStatementsChanged = event({
  id: 'carrier_statements.changed',
  modules: ['carrier_statements', 'carrier_lines'],
  needs: 'INVOICES:view',
  payload: z.object({ id: z.string() }),
});

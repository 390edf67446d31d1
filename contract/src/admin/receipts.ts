/** Delivery receipts that match no message, for operators. Their number and their retention are limited. */
import { z } from 'zod';
import { listQuery, search, timestamp, timestampFilter, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { STATUSES } from '../messages/statuses.ts';

export const UnmatchedReceipt = z.object({
  id: z.string(),
  connection_id: z.string(),
  connection_name: z.string(),
  /** The message ID as the receipt contains it, in the format of the connection. Empty if the receipt has none. */
  external_id: z.string(),
  /** The message's recipient. */
  number: z.string(),
  /** The message's sender. */
  sender: z.string(),
  status: z.enum(STATUSES),
  /** The status as the carrier sent it. */
  state: z.string(),
  code: z.string().nullable(),
  /** Our reference, if the carrier repeated one. */
  reference: z.int().nullable(),
  create_date: timestamp,
});
export type UnmatchedReceipt = z.output<typeof UnmatchedReceipt>;

export const listUnmatchedReceipts = endpoint({
  id: 'unmatched_receipts.list',
  method: 'GET',
  path: '/v1/unmatched_receipts',
  summary: 'List delivery receipts that match no message, newest first. Search by message ID or number',
  needs: 'CHANNELS:view',
  audience: 'operator',
  query: listQuery({
    search,
    connection_id: uuid('CONNECTION_NOT_FOUND'),
    from_date: timestampFilter('start'),
    to_date: timestampFilter('end'),
  }),
  list: true,
  output: UnmatchedReceipt,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'VALUE_INVALID'],
});

/** Calls that the API refused: they have no message, but they belong to the log. */
import { z } from 'zod';
import { listQuery, timestamp, timestampFilter } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** Days until a refused call is deleted. */
export const REFUSED_CALL_DAYS = 30;

export const RefusedCall = z.object({
  id: z.string(),
  account_id: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.int(),
  message: z.string(),
  field: z.string().nullable(),
  /** The content of the call, as far as it could be read. */
  channel: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  /** As in the header `X-Request-Id` of the response. */
  request_id: z.string(),
  create_date: timestamp,
});
export type RefusedCall = z.output<typeof RefusedCall>;

export const listRefusedCalls = endpoint({
  id: 'refused_calls.list',
  method: 'GET',
  path: '/v1/refused_calls',
  summary: 'List refused calls to send messages from the last 30 days, newest first',
  needs: 'MESSAGES:view',
  query: listQuery({
    code: z.coerce.number().int().min(0).max(99_999),
    created_date_start: timestampFilter('start'),
    created_date_end: timestampFilter('end'),
  }),
  list: true,
  output: RefusedCall,
  problems: ['VALUE_INVALID'],
});

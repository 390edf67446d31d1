/** The request log: every call that was made with an API key. */
import { z } from 'zod';
import { commaList, idParams, listQuery, search, timestamp, timestampFilter, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const OUTCOMES = ['success', 'client_error', 'server_error'] as const;
export const OUTCOME_STATUS: Readonly<Record<(typeof OUTCOMES)[number], StatusWord>> = {
  success: statusWord('Success', 'ok', 'check'),
  client_error: statusWord('Client error', 'wait', 'alert'),
  server_error: statusWord('Server error', 'fail', 'cross'),
};
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

export const readOutcome = (status: number): (typeof OUTCOMES)[number] =>
  status < 400 ? 'success' : status < 500 ? 'client_error' : 'server_error';

export const ApiRequest = z.object({
  /** As in the header `X-Request-Id` of the response. */
  id: z.string(),
  account_id: z.string(),
  key_id: z.string(),
  /** Null if the key has been deleted. */
  key_name: z.string().nullable(),
  /** True if the key is a test key. */
  test: z.boolean(),
  method: z.string(),
  /** The path and the query, without secrets. */
  path: z.string(),
  status: z.int(),
  /** The code of the error. */
  code: z.int().nullable(),
  /** The time from the arrival of the request to the end of its response, in milliseconds. */
  ms: z.int(),
  address: z.string(),
  /** The program that made the request, from its header `User-Agent`. */
  agent: z.string().nullable(),
  create_date: timestamp,
});
export type ApiRequest = z.output<typeof ApiRequest>;

export const ApiRequestDetail = ApiRequest.extend({
  /** JSON. Secrets, codes, and long values are masked or shortened. */
  request_body: z.string().nullable(),
  response_body: z.string().nullable(),
  /** True if values in the bodies or in the path were masked or shortened. */
  is_masked: z.boolean(),
  /** True if the caller lacks permission to see the data in the bodies. */
  is_hidden: z.boolean(),
});
export type ApiRequestDetail = z.output<typeof ApiRequestDetail>;

export const listApiRequests = endpoint({
  id: 'api_requests.list',
  method: 'GET',
  path: '/v1/api_requests',
  summary: 'List the requests made with API keys, newest first',
  needs: 'KEYS:view',
  query: listQuery({
    search: search.meta({ description: 'A request ID or part of the path.' }),
    key_ids: commaList(uuid('API_KEY_ID_INVALID')),
    methods: wordList(METHODS),
    outcomes: wordList(OUTCOMES),
    code: z.coerce.number().int().min(0).max(99_999),
    created_date_start: timestampFilter('start'),
    created_date_end: timestampFilter('end'),
  }),
  list: true,
  output: ApiRequest,
  problems: ['VALUE_INVALID', 'API_KEY_ID_INVALID'],
});

export const getApiRequest = endpoint({
  id: 'api_requests.get',
  method: 'GET',
  path: '/v1/api_requests/{id}',
  summary: 'Get a request, with the request and response bodies',
  needs: 'KEYS:view',
  params: idParams('API_REQUEST_ID_INVALID'),
  output: ApiRequestDetail,
  problems: ['API_REQUEST_ID_INVALID', 'API_REQUEST_NOT_FOUND'],
});

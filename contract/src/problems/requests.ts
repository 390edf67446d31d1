/** Requests in general, and their limits. */
import type { Rows } from './row.ts';

export const REQUESTS = {
  1001: [
    500,
    'The request could not be completed. Nothing was changed. Try again, and quote the request id if it happens again',
  ],
  1004: [404, 'There is nothing at this address'],
  1005: [400, 'The request cannot be read: its address, headers or JSON are not valid'],
  1006: [405, 'This method is not allowed here'],
  1007: [400, 'Request data is missing: send the fields inside "data"'],
  1008: [413, 'The request is too large'],
  1009: [415, 'This content type is not supported'],
  1010: [409, 'A request with this Idempotency-Key is still being processed'],
  1011: [422, 'This Idempotency-Key was used with a different request'],
  1012: [400, 'Idempotency-Key must have 1 to 255 printable characters'],
  1013: [503, 'The service is starting or stopping, try again shortly'],
  1014: [410, 'The stream position is too old: load everything again'],
  1705: [400, 'Invalid or missing value'],
  // Limits
  1999: [429, 'Limit exceeded: You have exceeded requests limit per second, try later.'],
} as const satisfies Rows;

/** Requests in general, and their limits. */
import type { Rows } from './row.ts';

export const REQUESTS = {
  INTERNAL_ERROR: {
    code: 1001,
    status: 500,
    public:
      'The request failed because of an error on our side, and nothing was changed. Try again. If it ' +
      'happens again, quote the request ID.',
    internal: 'An operation threw an unexpected error. The log line with the same req_id has its stack.',
  },
  ENDPOINT_NOT_FOUND: { code: 1004, status: 404, public: 'This URL does not exist' },
  REQUEST_INVALID: {
    code: 1005,
    status: 400,
    public: 'The request cannot be read: its URL, headers, or JSON is not valid',
  },
  METHOD_NOT_ALLOWED: { code: 1006, status: 405, public: 'This HTTP method is not allowed for this URL' },
  REQUEST_DATA_REQUIRED: { code: 1007, status: 400, public: 'Request data is required: send the fields inside "data"' },
  REQUEST_TOO_LARGE: { code: 1008, status: 413, public: 'The request is too large' },
  URL_TOO_LONG: { code: 2568, status: 414, public: 'The URL is too long' },
  CONTENT_TYPE_NOT_SUPPORTED: { code: 1009, status: 415, public: 'This content type is not supported' },
  IDEMPOTENCY_KEY_IN_USE: {
    code: 1010,
    status: 409,
    public: 'A request with this Idempotency-Key is still being processed',
  },
  IDEMPOTENCY_KEY_REUSED: { code: 1011, status: 422, public: 'This Idempotency-Key was used with a different request' },
  IDEMPOTENCY_KEY_INVALID: {
    code: 1012,
    status: 400,
    public: 'Idempotency-Key must have 1 to 255 printable characters',
  },
  SERVICE_UNAVAILABLE: {
    code: 1013,
    status: 503,
    public: 'The service is starting or stopping. Try again in a few seconds.',
    internal: 'The process is starting or shutting down and accepts no requests.',
  },
  DISK_FULL: {
    code: 1028,
    status: 503,
    public: 'Changes cannot be saved at the moment. Try again later.',
    internal: 'The disk of the database or the file storage is full.',
  },
  DATABASE_UNAVAILABLE: {
    code: 1029,
    status: 503,
    public: 'The service is temporarily unavailable. Try again in a few seconds.',
    internal: 'The database is not available, or a failover is in progress.',
  },
  QUERY_TIMEOUT: {
    code: 2195,
    status: 503,
    public: 'This is taking too long. Narrow the filters or the dates, or try again in a few seconds.',
    internal: 'A statement reached its time limit and was canceled.',
  },
  ACCOUNT_BUSY: {
    code: 2196,
    status: 503,
    public: 'Your account has too many requests in progress. Try again in a few seconds.',
    internal: 'The account already uses its share of the database connections, and its requests waited too long.',
  },
  REQUEST_TIMEOUT: {
    code: 1041,
    status: 408,
    public: 'The request did not arrive in time',
    internal: 'The client sent its headers or body too slowly, or ended the connection.',
  },
  REQUESTS_IN_PROGRESS_EXCEEDED: {
    code: 1042,
    status: 429,
    public: 'Too many requests are in progress. Wait until some of them finish.',
  },
  STREAMS_LIMIT_EXCEEDED: {
    code: 1043,
    status: 429,
    public: 'Too many live streams are open. Close one of them first.',
  },
  CONTENT_ENCODING_NOT_SUPPORTED: {
    code: 1044,
    status: 415,
    public: 'This content encoding is not supported. Send JSON with gzip or deflate, and files without an encoding.',
  },
  VALUE_INVALID: { code: 1705, status: 400, public: 'A value is missing or not valid' },
  // Saved views
  VIEW_NOT_FOUND: { code: 1706, status: 404, public: 'View not found' },
  VIEW_EXISTS: { code: 1707, status: 409, public: 'You already have a view with this name', field: 'name' },
  VIEWS_LIMIT_EXCEEDED: {
    code: 1708,
    status: 400,
    public: 'You can save at most 50 views per list. Delete a view you no longer need.',
  },
  // Limits
  RATE_LIMIT_EXCEEDED: {
    code: 1999,
    status: 429,
    public: 'Limit exceeded: You have exceeded requests limit per second, try later.',
  },
} as const satisfies Rows;

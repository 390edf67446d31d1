/** Connections to carriers, and routes, for operators. */
import type { Rows } from './row.ts';

export const CONNECTIONS = {
  CONNECTION_NOT_FOUND: { code: 1951, status: 404, public: 'Connection not found' },
  CONNECTION_EXISTS: { code: 1952, status: 409, public: 'A connection with this name already exists', field: 'name' },
  CARRIER_ROUTE_NOT_FOUND: { code: 1953, status: 404, public: 'Route not found' },
  SANDBOX_NOT_ALLOWED: {
    code: 1954,
    status: 400,
    public: 'The sandbox cannot be used as a carrier in production',
    field: 'host',
  },
  CONNECTION_TEST_NOT_FOUND: { code: 1955, status: 404, public: 'Connection test not found' },
  CONNECTION_TEST_NOT_SUPPORTED: { code: 1956, status: 400, public: 'Connections of this type cannot be tested' },
  CONNECTION_NOT_RUNNING: {
    code: 1957,
    status: 409,
    public: 'The connection is disabled or paused. Enable or resume it, then test it.',
  },
  CONNECTION_TEST_SENDER_REQUIRED: { code: 1958, status: 400, public: 'From is required', field: 'from' },
  CONNECTION_CREDENTIAL_REQUIRED: {
    code: 2300,
    status: 400,
    public: 'The provider requires this credential',
    field: 'settings',
  },
  SENDING_NOT_HELD: { code: 1959, status: 409, public: 'Sending is not on hold, or the decision was already made' },
} as const satisfies Rows;

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
  SENDING_NOT_HELD: { code: 1955, status: 409, public: 'Sending is not held, or an operator has already decided' },
} as const satisfies Rows;

/** Connections to carriers, and routes: for operators. */
import type { Rows } from './row.ts';

export const CONNECTIONS = {
  1951: [404, 'Connection not found'],
  1952: [409, 'A connection with this name exists', 'name'],
  1953: [404, 'Route not found'],
  1954: [400, 'The sandbox cannot be used as a carrier in production', 'host'],
} as const satisfies Rows;

/** SMPP accounts and their sessions. */
import type { Rows } from './row.ts';

export const SMPP = {
  SMPP_ACCOUNT_NOT_FOUND: { code: 2460, status: 404, public: 'SMPP account not found' },
  SMPP_SESSION_NOT_FOUND: { code: 2461, status: 404, public: 'This session is no longer bound' },
  SMPP_NAME_REQUIRED: { code: 2462, status: 400, public: 'Name is required', field: 'name' },
  SMPP_NAME_TOO_LONG: { code: 2463, status: 400, public: 'Name can have at most 60 characters', field: 'name' },
  SMPP_ACCOUNTS_LIMIT_EXCEEDED: {
    code: 2464,
    status: 409,
    public: 'A company can have at most 20 SMPP accounts. Delete one that you no longer use.',
  },
  SMPP_ADDRESS_INVALID: {
    code: 2465,
    status: 400,
    public: 'Enter IP addresses or networks, such as 192.0.2.1 or 192.0.2.0/24',
    field: 'addresses',
  },
  SMPP_ADDRESSES_LIMIT_EXCEEDED: {
    code: 2466,
    status: 400,
    public: 'An SMPP account can have at most 50 IP addresses',
    field: 'addresses',
  },
  SMPP_SOURCE_INVALID: {
    code: 2467,
    status: 400,
    public: 'Enter numbers or sender IDs of at most 20 characters',
    field: 'sources',
  },
  SMPP_SOURCES_LIMIT_EXCEEDED: {
    code: 2468,
    status: 400,
    public: 'An SMPP account can have at most 50 source addresses',
    field: 'sources',
  },
  SMPP_BIND_TYPES_INVALID: { code: 2469, status: 400, public: 'Choose at least one bind type', field: 'bind_types' },
  SMPP_WINDOW_INVALID: { code: 2470, status: 400, public: 'Enter a window of 1 to 1,000', field: 'window' },
  SMPP_THROUGHPUT_INVALID: {
    code: 2471,
    status: 400,
    public: 'Enter 1 to 10,000 messages per second',
    field: 'throughput',
  },
  SMPP_BINDS_INVALID: {
    code: 2472,
    status: 400,
    public: 'Enter a number of sessions from 1 to 50',
    field: 'max_binds',
  },
  SMPP_CAP_ACCOUNTS_INVALID: {
    code: 2570,
    status: 400,
    public: 'Enter 0 to 20 SMPP accounts',
    field: 'max_accounts',
  },
  SMPP_CAP_BINDS_INVALID: { code: 2571, status: 400, public: 'Enter 0 to 1,000 sessions', field: 'max_binds' },
  SMPP_BINDS_ABOVE_CAP: {
    code: 2572,
    status: 409,
    public: 'Your company cannot have that many sessions. Contact support to raise the limit.',
    internal: 'max_binds of the SMPP account is above max_binds in smpp_caps',
    field: 'max_binds',
  },
  SMPP_THROUGHPUT_ABOVE_CAP: {
    code: 2573,
    status: 409,
    public: 'Your company cannot send that many messages per second. Contact support to raise the limit.',
    internal: 'throughput of the SMPP account is above throughput in smpp_caps',
    field: 'throughput',
  },
  SMPP_GRANT_NOT_ALLOWED: {
    code: 2473,
    status: 403,
    public: 'An SMPP account sends messages. You need Add Message permission to create its password.',
  },
} as const satisfies Rows;

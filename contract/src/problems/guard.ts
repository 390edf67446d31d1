/** Limits on traffic and blocked countries. */
import type { Rows } from './row.ts';

export const GUARD = {
  LIMIT_NOT_FOUND: { code: 2320, status: 404, public: 'Limit not found' },
  LIMIT_ID_INVALID: { code: 2321, status: 400, public: 'Limit ID is not valid', field: 'id' },
  LIMIT_TYPE_INVALID: { code: 2322, status: 400, public: 'Choose what the limit counts', field: 'type' },
  LIMIT_VALUE_INVALID: {
    code: 2323,
    status: 400,
    public: 'The limit must be a whole number from 1 to 1,000,000,000,000',
    field: 'limit',
  },
  LIMIT_INTERVAL_INVALID: { code: 2324, status: 400, public: 'Choose an interval', field: 'interval' },
  LIMIT_PREFIX_INVALID: {
    code: 2325,
    status: 400,
    public: 'A prefix is the beginning of a phone number with its country code, such as 4477',
    field: 'prefixes',
  },
  LIMIT_WARNINGS_INVALID: {
    code: 2480,
    status: 400,
    public: 'Warnings are up to 5 whole percentages from 1 to 99',
    field: 'warn_at',
  },
  LIMITS_LIMIT_EXCEEDED: {
    code: 2326,
    status: 409,
    public: 'An account can have at most 50 limits. Delete one that you no longer need.',
  },
  TRAFFIC_LIMIT_REACHED: {
    code: 2327,
    status: 403,
    public: 'Your account has reached a limit',
    internal: 'A limit of the account blocks the message until the current interval ends.',
  },
  RECIPIENT_LIMIT_REACHED: {
    code: 2329,
    status: 403,
    public: 'This number has reached your account’s limit per recipient',
    field: 'to',
  },
  COUNTRY_RISK_NOT_ACKNOWLEDGED: {
    code: 2481,
    status: 400,
    public: 'Confirm that you understand the risk of sending to more countries',
    field: 'acknowledges_risk',
  },
  ALLOWED_COUNTRIES_EMPTY: { code: 2482, status: 400, public: 'Allow at least one country', field: 'countries' },
  LIMIT_INHERITED: {
    code: 2520,
    status: 403,
    public: 'Only your parent company can change this limit',
    internal: 'The limit belongs to the parent of the account.',
  },
  LIMIT_SUB_ACCOUNTS_INVALID: {
    code: 2521,
    status: 400,
    public: 'Choose whether the limit applies to sub-accounts',
    field: 'sub_accounts',
  },
  LIMIT_NOT_SHAREABLE: {
    code: 2522,
    status: 409,
    public: 'Sub-accounts cannot set limits for other accounts',
    field: 'sub_accounts',
  },
  LIMIT_NOT_SHARED: { code: 2523, status: 409, public: 'This limit does not apply to sub-accounts' },
  COUNTRIES_NOT_SHAREABLE: {
    code: 2524,
    status: 409,
    public: 'Sub-accounts cannot set country lists for other accounts',
    field: 'sub_accounts',
  },
  COUNTRY_LIST_NOT_FOUND: { code: 2328, status: 404, public: 'Country blacklist not found' },
} as const satisfies Rows;

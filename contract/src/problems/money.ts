/** Money. */
import type { Rows } from './row.ts';

export const MONEY = {
  BALANCE_NOT_ENOUGH: {
    code: 7909,
    status: 402,
    public: 'Your balance is too low. Add funds to continue.',
    internal: 'The charge would take the balance below the account’s credit limit.',
  },
  USER_PHONE_INVALID: { code: 7910, status: 400, public: 'The phone number is not valid', field: 'phone_number' },
  BALANCE_NOT_FOUND: { code: 7920, status: 404, public: 'Balance not found' },
  CREDIT_LIMIT_TOO_LOW: {
    code: 7921,
    status: 409,
    public: 'The account already owes more than this limit',
    field: 'credit_limit_micros',
  },
} as const satisfies Rows;

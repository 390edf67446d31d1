/** Money. */
import type { Rows } from './row.ts';

export const MONEY = {
  7909: [402, 'The balance is not enough'],
  7910: [400, 'The phone number is not valid', 'phone_number'],
  7920: [404, 'Balance not found'],
  7921: [409, 'The account owes more than this already', 'credit_limit_micros'],
} as const satisfies Rows;

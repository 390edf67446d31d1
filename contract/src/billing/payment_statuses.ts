/** The statuses of payments. `PENDING` and `FAILED` payments have moved no money. */
import { type StatusWord, statusWord } from '../status.ts';

export const PAYMENT_STATUSES = ['PENDING', 'FAILED', 'PAID', 'FROZEN', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;
type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_STATUS: Readonly<Record<PaymentStatus, StatusWord>> = {
  PENDING: statusWord('Awaiting payment', 'wait', 'clock'),
  FAILED: statusWord('Failed', 'fail', 'cross'),
  PAID: statusWord('Paid', 'ok', 'check'),
  FROZEN: statusWord('In Review', 'wait', 'snowflake'),
  REFUNDED: statusWord('Refunded', 'off', 'returned'),
  PARTIALLY_REFUNDED: statusWord('Partially refunded', 'off', 'returned'),
};

/** The statuses of payments. */
import { type StatusWord, statusWord } from '../status.ts';

type PaymentStatus = 'PAID' | 'FROZEN' | 'REFUNDED' | 'PARTIALLY_REFUNDED';

export const PAYMENT_STATUS: Readonly<Record<PaymentStatus, StatusWord>> = {
  PAID: statusWord('Paid', 'ok', 'check'),
  FROZEN: statusWord('In Review', 'wait', 'snowflake'),
  REFUNDED: statusWord('Refunded', 'off', 'returned'),
  PARTIALLY_REFUNDED: statusWord('Partially refunded', 'off', 'returned'),
};

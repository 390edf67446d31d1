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
  LIST_PRICE_NOT_FOUND: { code: 7930, status: 404, public: 'Price not found' },
  PRICE_EXISTS: {
    code: 7931,
    status: 409,
    public: 'This destination already has a price. Edit that price instead.',
    field: 'country',
  },
  NETWORK_CODE_INVALID: {
    code: 7932,
    status: 400,
    public: 'The network code consists of the MCC and MNC: 5 or 6 digits',
    field: 'mccmnc',
  },
  PRICE_PURPOSE_INVALID: {
    code: 7933,
    status: 400,
    public: 'Prices of this channel do not depend on the purpose',
    field: 'purpose',
  },
  PRICE_LIST_UNREADABLE: { code: 7934, status: 400, public: 'The price list cannot be read', field: 'text' },
  PRICE_IMPORT_NOT_FOUND: { code: 7935, status: 404, public: 'Price import not found' },
  PRICE_IMPORT_OUTDATED: {
    code: 7936,
    status: 409,
    public: 'Prices or networks have changed since this preview. Preview the file again.',
  },
  TOP_UP_REFERENCE_USED: {
    code: 7937,
    status: 409,
    public: 'This reference was already used for another amount or kind. Check the history of the account.',
    field: 'reference',
  },
  TOP_UP_AMOUNT_INVALID: {
    code: 7938,
    status: 400,
    public: 'The amount must be above 0 and at most 1,000,000',
    field: 'amount_micros',
  },
  CURRENCY_DEFAULT_REQUIRED: {
    code: 7939,
    status: 409,
    public: 'New accounts need a default currency. Make another currency the default first.',
    field: 'enabled',
  },
  NUMBERING_PLAN_UNREADABLE: {
    code: 7940,
    status: 400,
    public: 'The numbering plan could not be read',
    field: 'text',
  },
  CODE_SENDER_NOT_USABLE: {
    code: 7941,
    status: 409,
    public: 'This sender cannot send messages at the moment. Choose another one.',
    field: 'sender_id',
  },
  PAYMENTS_OFF: {
    code: 2040,
    status: 409,
    public: 'Card payments are not available. Pay by bank transfer instead.',
    internal: 'No payment provider is configured: STRIPE_SECRET_KEY is not set.',
  },
  PAYMENT_AMOUNT_INVALID: {
    code: 2041,
    status: 400,
    public: 'Enter an amount between the minimum and 1,000,000, with at most 2 decimals',
    field: 'amount_micros',
  },
  PAYMENT_NOT_FOUND: { code: 2042, status: 404, public: 'Payment not found' },
  PAYMENT_METHOD_NOT_FOUND: { code: 2043, status: 404, public: 'Card not found', field: 'payment_method_id' },
  PAYMENT_PROVIDER_FAILED: {
    code: 2044,
    status: 503,
    public: 'The payment service did not respond. Try again in a moment; you are not charged twice.',
    internal: 'The payment provider refused the call or did not respond. The log has its error.',
  },
  PAYMENT_NOT_IN_REVIEW: { code: 2045, status: 409, public: 'This payment is not waiting for a decision' },
  PAYMENT_NOT_REFUNDABLE: { code: 2046, status: 409, public: 'This payment cannot be refunded' },
  PAYMENT_METHOD_IN_USE: {
    code: 2047,
    status: 409,
    public: 'Automatic top-up uses this card. Turn it off or choose another card first.',
  },
  SETUP_INTENT_NOT_CONFIRMED: {
    code: 2048,
    status: 409,
    public: 'The card was not confirmed. Enter it again.',
    field: 'setup_intent',
  },
  CALLBACK_SIGNATURE_INVALID: {
    code: 2049,
    status: 400,
    public: 'The signature is not valid',
    internal: 'STRIPE_WEBHOOK_SECRET is wrong, the callback is older than five minutes, or it is forged.',
  },
} as const satisfies Rows;

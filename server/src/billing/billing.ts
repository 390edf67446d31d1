/**
 * Manages money. Every movement is one ledger row from one side to another. It is stored in the transaction that
 * changes the balance and never changed afterwards. No other module writes to balances, the ledger, or holds.
 */
export { billingChecks } from './check.ts';
export { invoiceChecks } from './invoices/check.ts';
export { setCreditLimit, spendableMicros } from './ledger/balance.ts';
export { charge } from './ledger/charges.ts';
export { credit } from './ledger/credits.ts';
export { acceptedMessages, type Closing, closeHolds, openHold } from './ledger/holds.ts';
export { ledgerEntry } from './ledger/queries.ts';
export { paymentDoors } from './payments/callbacks.ts';
export { bookManual } from './payments/manual.ts';
export { type Price, type PriceBook, priceBook } from './prices/prices.ts';

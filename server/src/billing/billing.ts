/**
 * Manages money. Every movement is one ledger row from one side to another. It is stored in the transaction that
 * changes the balance and never changed afterwards. No other module writes to balances, the ledger, or holds.
 */
export { billingChecks } from './check.ts';
export { sendingResumed } from './dunning/cases.ts';
export { invoiceChecks } from './invoices/check.ts';
export { readSpendable, setCreditLimit } from './ledger/balance.ts';
export { charge } from './ledger/charges.ts';
export { credit } from './ledger/credits.ts';
export { getBalance } from './ledger/entries.ts';
export { type Closing, closeHolds, countAcceptedMessages, openHold } from './ledger/holds.ts';
export { lockVolumes, moveVolumes, readVolumes } from './ledger/volumes.ts';
export { alertText } from './low_balance/alert_texts.ts';
export { paymentDoors } from './payments/callbacks.ts';
export {
  loadBooks,
  type PlannedRate,
  type Price,
  type PriceBook,
  readPriceBook,
  type VolumeKey,
} from './prices/prices.ts';
export { reconciliationChecks } from './reconciliation/check.ts';
export { differencesFound } from './reconciliation/run.ts';
export { statementChecks } from './statements/check.ts';

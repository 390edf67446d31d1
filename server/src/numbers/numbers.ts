/** Rented numbers: the operators' inventory, the offers, the purchase, and the monthly rental. */
export { numberChecks } from './check.ts';
export type { NumberType } from './offers.ts';
export { buyNumber } from './purchase.ts';

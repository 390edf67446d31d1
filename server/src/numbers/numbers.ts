/** Numbers that accounts rent: the inventory of the operators, the offers, the purchase and the monthly rental. */
export { numberChecks } from './check.ts';
export type { NumberType } from './offers.ts';
export { buyNumber } from './purchase.ts';

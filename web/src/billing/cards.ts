/** The names of saved cards. */
import type { PaymentMethod } from '@parley/contract/billing/payment_methods.ts';

export const brandLabel = (brand: string): string =>
  brand === 'amex' ? 'American Express' : brand.charAt(0).toUpperCase() + brand.slice(1);

export const cardLabel = ({ brand, last4 }: Pick<PaymentMethod, 'brand' | 'last4'>): string =>
  `${brandLabel(brand)} ending in ${last4}`;

export const expiryLabel = ({ exp_month, exp_year }: PaymentMethod): string =>
  `Expires ${String(exp_month).padStart(2, '0')}/${exp_year}`;

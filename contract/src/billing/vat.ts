/** Value-added tax on invoices: the members of the European Union, their rates, and the form of their VAT numbers. */

/** The standard rate in percent, per member of the European Union. */
const EU_VAT_RATES: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 21,
  BG: 20,
  CY: 19,
  CZ: 21,
  DE: 19,
  DK: 25,
  EE: 24,
  ES: 21,
  FI: 25.5,
  FR: 20,
  GR: 24,
  HR: 25,
  HU: 27,
  IE: 23,
  IT: 22,
  LT: 21,
  LU: 17,
  LV: 21,
  MT: 18,
  NL: 21,
  PL: 23,
  PT: 23,
  RO: 21,
  SE: 25,
  SI: 22,
  SK: 23,
};

const VAT_NUMBERS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};
/** Greece writes EL before its numbers instead of its country code. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

export const isInEu = (country: string): boolean => country in EU_VAT_RATES;

/** The prefix and the rest, or null if the text is not in the format of this member's VAT numbers with a prefix. */
export function splitVatNumber(country: string, text: string): { prefix: string; number: string } | null {
  const compact = text.replace(/[\s.-]/g, '').toUpperCase();
  const prefix = PREFIXES[country] ?? country;
  const number = compact.slice(prefix.length);
  return compact.startsWith(prefix) && VAT_NUMBERS[country]?.test(number) ? { prefix, number } : null;
}

export const isVatNumber = (country: string, text: string): boolean => splitVatNumber(country, text) !== null;

export interface TaxRule {
  /** In percent. */
  rate: number;
  /** True if the customer, not the seller, owes the tax. The invoice must say so. */
  reverse_charge: boolean;
}

interface Buyer {
  country_code: string;
  vat_number: string;
  /** A rate above 0 that operators have set for this customer. It takes precedence. */
  tax_rate: number;
  /** True if the register of the European Union does not list the VAT number. */
  is_vat_refused?: boolean;
}

/**
 * The tax on a sale. Within the European Union, companies with a VAT number of another member owe the tax themselves,
 * and all others pay the rate of their own country. Other sales carry no tax unless operators have set a rate.
 */
export function taxRule(seller_country: string, buyer: Buyer): TaxRule {
  if (buyer.tax_rate > 0) return { rate: buyer.tax_rate, reverse_charge: false };
  const { country_code } = buyer;
  if (!isInEu(seller_country) || !isInEu(country_code)) return { rate: 0, reverse_charge: false };
  const has_number = !buyer.is_vat_refused && isVatNumber(country_code, buyer.vat_number);
  if (country_code !== seller_country && has_number) return { rate: 0, reverse_charge: true };
  return { rate: EU_VAT_RATES[country_code]!, reverse_charge: false };
}

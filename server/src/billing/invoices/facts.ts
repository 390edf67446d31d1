/** Shared by both formats of electronic invoices: the VAT category, identifiers, and the conditions of EN 16931. */
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { isVatNumber } from '@parley/contract/billing/vat.ts';

const MICROS = 1_000_000;
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The text without characters that XML does not allow. */
export const legal = (text: string): string => text.replace(ILLEGAL, '').trim();
export const escapeXml = (text: string): string => legal(text).replace(/[&<>"]/g, (one) => ENTITIES[one]!);
/** Amounts of credit notes are positive. */
export const toAmount = (micros: number): string => (Math.abs(micros) / MICROS).toFixed(2);

export const compact = (vat_number: string): string => vat_number.replace(/[\s.-]/g, '').toUpperCase();
/** The VAT number with its prefix, or null if its format is not valid. */
export const vatId = ({ country_code, vat_number }: InvoiceDetails['buyer']): string | null =>
  isVatNumber(country_code, vat_number) ? compact(vat_number) : null;

export type Category = 'S' | 'AE' | 'O';
export interface Tax {
  category: Category;
  rate: number;
}

/** Standard rate, reverse charge, or outside the scope of VAT. */
export const taxCategory = ({ tax_rate, reverse_charge }: InvoiceDetails): Tax => ({
  category: reverse_charge ? 'AE' : tax_rate > 0 ? 'S' : 'O',
  rate: tax_rate,
});

export const EXEMPTIONS: Readonly<Record<Category, { code: string; text: string } | null>> = {
  S: null,
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
};

/**
 * True if EN 16931 allows the document: it requires the names of both, a VAT number of the seller, and for a reverse
 * charge, of both.
 */
export const canBeStructured = (invoice: InvoiceDetails): boolean =>
  legal(invoice.seller.name) !== '' &&
  legal(invoice.buyer.name) !== '' &&
  compact(invoice.seller.vat_number) !== '' &&
  (taxCategory(invoice).category === 'O' || vatId(invoice.seller) !== null) &&
  (!invoice.reverse_charge || vatId(invoice.buyer) !== null);

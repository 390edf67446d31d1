import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { expect, test } from 'vitest';
import { canBeStructured } from './facts.ts';
import { toUbl } from './ubl.ts';

interface Element {
  name: string;
  text: string;
  attributes: Record<string, string>;
  children: Element[];
}

/** Reads well-formed XML without comments and mixed content. Throws if it is not well formed. */
function readXml(xml: string): Element {
  const top: Element = { name: '', text: '', attributes: {}, children: [] };
  const open = [top];
  const tokens = xml.replace(/^<\?xml[^>]*\?>\s*/, '').matchAll(/<(\/?)([\w:]+)([^<>]*)>|([^<>]+)/g);
  for (const [, slash, name, rest, text] of tokens) {
    const current = open.at(-1)!;
    if (text !== undefined) current.text += text.trim();
    else if (slash) {
      if (open.pop()!.name !== name) throw new Error(`${name} is not open`);
    } else {
      const attributes = Object.fromEntries(
        [...rest!.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
      );
      const element: Element = { name: name!, text: '', attributes, children: [] };
      current.children.push(element);
      open.push(element);
    }
  }
  if (open.length !== 1 || top.children.length !== 1) throw new Error('not well formed');
  return top.children[0]!;
}

const all = (element: Element, path: string): Element[] =>
  path
    .split('/')
    .reduce(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [element],
    );
const one = (element: Element, path: string): string | undefined => all(element, path)[0]?.text;
const cents = (element: Element, path: string): number => Math.round(Number(one(element, path)) * 100);

const TOTAL = 'cac:LegalMonetaryTotal';
const SUBTOTAL = 'cac:TaxTotal/cac:TaxSubtotal';
const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';
const VAT_ID = 'cac:PartyTaxScheme/cbc:CompanyID';

/** The rules of EN 16931 that can apply to a document with one line, by their published IDs. */
function brokenRules(xml: string): string[] {
  const document = readXml(xml);
  const line = document.name === 'Invoice' ? 'cac:InvoiceLine' : 'cac:CreditNoteLine';
  const get = (path: string) => one(document, path);
  const amount = (path: string) => cents(document, path);
  const category = get(`${SUBTOTAL}/cac:TaxCategory/cbc:ID`);
  const rate = Number(get(`${SUBTOTAL}/cac:TaxCategory/cbc:Percent`) ?? 0);
  const seller = get(`${SELLER}/${VAT_ID}`);
  const buyer = get(`${BUYER}/${VAT_ID}`);
  const rules: Record<string, boolean> = {
    'BR-01': Boolean(get('cbc:CustomizationID')),
    'BR-02': Boolean(get('cbc:ID')),
    'BR-03': /^\d{4}-\d\d-\d\d$/.test(get('cbc:IssueDate')!),
    'BR-04': Boolean(get('cbc:InvoiceTypeCode') ?? get('cbc:CreditNoteTypeCode')),
    'BR-05': Boolean(get('cbc:DocumentCurrencyCode')),
    'BR-06': Boolean(get(`${SELLER}/cac:PartyLegalEntity/cbc:RegistrationName`)),
    'BR-07': Boolean(get(`${BUYER}/cac:PartyLegalEntity/cbc:RegistrationName`)),
    'BR-09': Boolean(get(`${SELLER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)),
    'BR-11': Boolean(get(`${BUYER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)),
    'BR-16': all(document, line).length >= 1,
    'BR-CO-04': Boolean(get(`${line}/cac:Item/cac:ClassifiedTaxCategory/cbc:ID`)),
    'BR-CO-09': [seller, buyer].every((id) => id === undefined || /^(EL|[A-Z]{2})/.test(id)),
    'BR-CO-10':
      amount(`${TOTAL}/cbc:LineExtensionAmount`) ===
      all(document, `${line}/cbc:LineExtensionAmount`).reduce(
        (sum, { text }) => sum + Math.round(Number(text) * 100),
        0,
      ),
    'BR-CO-13': amount(`${TOTAL}/cbc:TaxExclusiveAmount`) === amount(`${TOTAL}/cbc:LineExtensionAmount`),
    'BR-CO-14': amount('cac:TaxTotal/cbc:TaxAmount') === amount(`${SUBTOTAL}/cbc:TaxAmount`),
    'BR-CO-15':
      amount(`${TOTAL}/cbc:TaxInclusiveAmount`) ===
      amount(`${TOTAL}/cbc:TaxExclusiveAmount`) + amount('cac:TaxTotal/cbc:TaxAmount'),
    'BR-CO-16':
      amount(`${TOTAL}/cbc:PayableAmount`) ===
      amount(`${TOTAL}/cbc:TaxInclusiveAmount`) - amount(`${TOTAL}/cbc:PrepaidAmount`),
    'BR-CO-17':
      Math.round((amount(`${SUBTOTAL}/cbc:TaxableAmount`) * rate) / 100) === amount(`${SUBTOTAL}/cbc:TaxAmount`),
    'BR-CO-18': all(document, SUBTOTAL).length === 1,
    'BR-CO-25': amount(`${TOTAL}/cbc:PayableAmount`) <= 0 || Boolean(get('cbc:DueDate')),
    'BR-CO-26': Boolean(get(`${SELLER}/cac:PartyIdentification/cbc:ID`) ?? seller),
    'BR-62': all(document, `${SELLER}/cbc:EndpointID`).every(({ attributes }) => attributes.schemeID),
    'BR-63': all(document, `${BUYER}/cbc:EndpointID`).every(({ attributes }) => attributes.schemeID),
    'BR-S-02': category !== 'S' || seller !== undefined,
    'BR-S-05': category !== 'S' || rate > 0,
    'BR-AE-02': category !== 'AE' || (seller !== undefined && buyer !== undefined),
    'BR-AE-05': category !== 'AE' || rate === 0,
    'BR-AE-10': category !== 'AE' || get(`${SUBTOTAL}/cac:TaxCategory/cbc:TaxExemptionReasonCode`) === 'VATEX-EU-AE',
    'BR-O-02': category !== 'O' || (seller === undefined && buyer === undefined),
    'BR-O-05': category !== 'O' || get(`${line}/cac:Item/cac:ClassifiedTaxCategory/cbc:Percent`) === undefined,
    'BR-O-10': category !== 'O' || get(`${SUBTOTAL}/cac:TaxCategory/cbc:TaxExemptionReasonCode`) === 'VATEX-EU-O',
    'UBL-SR': [...all(document, `${TOTAL}/cbc:PayableAmount`)].every(
      ({ attributes }) => attributes.currencyID === 'EUR',
    ),
  };
  return Object.entries(rules).flatMap(([id, holds]) => (holds ? [] : id));
}

const INVOICE: InvoiceDetails = {
  ...{ id: 'i', account_id: 'a', number: 'P-000001', type: 'Invoice', payment_id: 'p', period: '2026-11-29' },
  ...{ currency: 'EUR', amount_micros: 9_500_000, net_amount_micros: 50_000_000, tax_rate: 19, corrects: null },
  ...{ amount_including_vat_micros: 59_500_000, create_date: '2026-11-29T00:00:00Z', reverse_charge: false },
  description: 'Messaging credit',
  month: null,
  lines: [{ date: '2026-11-29', description: 'Messaging credit', net_amount_micros: 50_000_000 }],
  seller: {
    ...{ name: 'Parley GmbH', address: 'Am Kai 4\n20457 Hamburg', country_code: 'DE', vat_number: 'DE136695976' },
    bank_details: '',
  },
  buyer: { name: 'Bread & <Butter>\u0000 \u{1F600}', address: '', country_code: 'DE', vat_number: 'DE 136 695 976' },
};
const MONTHLY: Partial<InvoiceDetails> = {
  ...{ payment_id: null, month: '2026-10', description: 'Messaging credit, October 2026' },
  lines: [
    { date: '2026-10-02', description: 'Messaging credit, 2026-10-02', net_amount_micros: 30_000_000 },
    { date: '2026-10-20', description: 'Messaging credit, 2026-10-20', net_amount_micros: 20_000_000 },
  ],
};
const FRENCH = { ...INVOICE.buyer, country_code: 'FR', vat_number: 'FR 12 345678901' };
const AMERICAN = { ...INVOICE.buyer, country_code: 'US', vat_number: '' };
const UNTAXED = { tax_rate: 0, amount_micros: 0, amount_including_vat_micros: 50_000_000 };

test.each<[string, Partial<InvoiceDetails>, string, string]>([
  ['at the standard rate', {}, 'S', 'peppol'],
  ['for the payments of a month', MONTHLY, 'S', 'peppol'],
  ['with a reverse charge', { ...UNTAXED, buyer: FRENCH, reverse_charge: true }, 'AE', 'peppol'],
  ['to a country outside the European Union', { ...UNTAXED, buyer: AMERICAN }, 'O', 'en16931'],
])('an invoice %s follows the rules of EN 16931', (_, facts, category, profile) => {
  const invoice = { ...INVOICE, ...facts };
  expect(canBeStructured(invoice)).toBe(true);
  const xml = toUbl(invoice);
  expect(brokenRules(xml)).toEqual([]);
  const document = readXml(xml);
  expect(one(document, `${SUBTOTAL}/cac:TaxCategory/cbc:ID`)).toBe(category);
  expect(one(document, 'cbc:CustomizationID')!.includes('peppol')).toBe(profile === 'peppol');
  expect(one(document, `${BUYER}/cac:PartyName/cbc:Name`)).toBe('Bread &amp; &lt;Butter&gt; \u{1F600}');
});

test('a credit note has positive amounts and names the invoice', () => {
  const xml = toUbl({
    ...INVOICE,
    ...{ type: 'Credit note', number: 'P-000002', corrects: 'P-000001' },
    ...{ net_amount_micros: -20_000_000, amount_micros: -3_800_000, amount_including_vat_micros: -23_800_000 },
    lines: [{ date: '2026-11-29', description: 'Refund of messaging credit', net_amount_micros: -20_000_000 }],
  });
  expect(brokenRules(xml)).toEqual([]);
  const document = readXml(xml);
  expect([document.name, one(document, 'cbc:CreditNoteTypeCode')]).toEqual(['CreditNote', '381']);
  expect(one(document, 'cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID')).toBe('P-000001');
  expect(one(document, `${TOTAL}/cbc:TaxInclusiveAmount`)).toBe('23.80');
});

test('elements follow the order of the schema', () => {
  const names = readXml(toUbl(INVOICE)).children.map(({ name }) => name.slice(4));
  expect(names).toEqual([
    ...['CustomizationID', 'ProfileID', 'ID', 'IssueDate', 'DueDate', 'InvoiceTypeCode', 'Note'],
    ...['DocumentCurrencyCode', 'BuyerReference', 'AccountingSupplierParty', 'AccountingCustomerParty', 'TaxTotal'],
    ...['LegalMonetaryTotal', 'InvoiceLine'],
  ]);
});

test('a company without a VAT number issues no electronic invoices', () => {
  const seller = { ...INVOICE.seller, vat_number: '' };
  expect(canBeStructured({ ...INVOICE, seller })).toBe(false);
  expect(canBeStructured({ ...INVOICE, ...UNTAXED, buyer: AMERICAN, seller })).toBe(false);
  expect(canBeStructured({ ...INVOICE, seller: { ...seller, vat_number: 'DE1' } })).toBe(false);
});

test('names and addresses without any character that XML allows leave no empty element', () => {
  const nothing = '\u0001\uFFFE\uD800 \u0000';
  expect(toUbl({ ...INVOICE, buyer: { ...INVOICE.buyer, address: nothing } })).not.toContain('></cbc:');
  expect(canBeStructured({ ...INVOICE, buyer: { ...INVOICE.buyer, name: nothing } })).toBe(false);
  expect(canBeStructured({ ...INVOICE, seller: { ...INVOICE.seller, name: nothing } })).toBe(false);
});

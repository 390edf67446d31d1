/** The process that draws one invoice. It reports that it is ready, then sends the PDF. */
import { fileURLToPath } from 'node:url';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import PDFDocument from 'pdfkit';

const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const LEFT = 56;
const RIGHT = 539;
const MICROS = 1_000_000;

const money = (micros: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'code' }).format(micros / MICROS);

type Doc = InstanceType<typeof PDFDocument>;
type Party = InvoiceDetails['buyer'];

function drawParty(doc: Doc, x: number, title: string, party: Party): number {
  doc.font('bold').fontSize(9).fillColor('#555555').text(title, x, 150, { width: 220 });
  doc.font('bold').fontSize(11).fillColor('#000000').text(party.name, { width: 220 });
  doc.font('regular').fontSize(10);
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(party.country_code) ?? party.country_code;
  for (const line of [party.address, country, party.vat_number && `VAT number ${party.vat_number}`])
    if (line) doc.text(line, { width: 220 });
  return doc.y;
}

function drawRow(doc: Doc, y: number, label: string, amount: string, style: 'regular' | 'bold' = 'regular'): number {
  doc.font(style).fontSize(10).text(label, LEFT, y, { width: 320 });
  const end = doc.y;
  doc.text(amount, 380, y, { width: RIGHT - 380, align: 'right' });
  return Math.max(end, doc.y) + 6;
}

const drawLine = (doc: Doc, y: number): void =>
  void doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor('#999999').stroke();

function draw(invoice: InvoiceDetails): Promise<Uint8Array> {
  const { currency, seller } = invoice;
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: LEFT, right: 56 },
    lang: 'en',
    info: { Title: `${invoice.type} ${invoice.number}`, Author: seller.name },
  });
  doc.registerFont('regular', font('DejaVuSans')).registerFont('bold', font('DejaVuSans-Bold'));
  const parts: Uint8Array[] = [];
  const ended = new Promise<Uint8Array>((resolve) => doc.on('end', () => resolve(Buffer.concat(parts))));
  doc.on('data', (part: Uint8Array) => parts.push(part));
  doc.font('bold').fontSize(20).text(invoice.type, LEFT, 56);
  doc.font('regular').fontSize(10).text(`Number ${invoice.number}`).text(`Date ${invoice.period}`);
  let y = Math.max(drawParty(doc, LEFT, 'Seller', seller), drawParty(doc, 320, 'Customer', invoice.buyer)) + 30;
  drawLine(doc, y);
  y = drawRow(doc, y + 10, invoice.description, money(invoice.net_amount_micros, currency));
  drawLine(doc, y);
  y = drawRow(doc, y + 10, 'Net amount', money(invoice.net_amount_micros, currency));
  y = drawRow(doc, y, `VAT ${invoice.tax_rate}%`, money(invoice.amount_micros, currency));
  y = drawRow(doc, y, 'Amount including VAT', money(invoice.amount_including_vat_micros, currency), 'bold');
  doc.font('regular').fontSize(10);
  if (invoice.reverse_charge) doc.text('Reverse charge: the customer accounts for the VAT.', LEFT, y + 16);
  doc.text(
    invoice.type === 'Invoice' ? 'Paid. No further payment is due.' : 'The amount was returned.',
    LEFT,
    doc.y + 16,
  );
  doc.end();
  return ended;
}

process.once('message', (invoice) => {
  draw(invoice as InvoiceDetails).then((pdf) => process.send!(pdf));
});
process.send!('ready');

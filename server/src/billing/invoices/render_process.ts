/** The process that draws invoices and statements. It reports that it is ready, then answers each with its PDF. */
import { fileURLToPath } from 'node:url';
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { KIND_TITLES } from '@parley/contract/billing/statements.ts';
import { CHANNEL_LABELS, type ChannelName } from '@parley/contract/channels/names.ts';
import PDFDocument from 'pdfkit';
import { addStructured } from './factur_x.ts';
import type { Drawn, DrawnStatement } from './render.ts';

const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const LEFT = 56;
const RIGHT = 539;
/** Where rows start after the first page, and where the last row of a page can start. */
const FIRST_ROW = 56;
const LAST_ROW = 740;
/** The space that the totals need. */
const TOTALS = 120;
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

/** A page with its fonts, and the promise of its bytes after `end`. */
function startPage(options: PDFKit.PDFDocumentOptions): { doc: Doc; ended: Promise<Uint8Array> } {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: LEFT, right: 56 },
    lang: 'en',
    ...options,
  });
  doc.registerFont('regular', font('DejaVuSans')).registerFont('bold', font('DejaVuSans-Bold'));
  const parts: Uint8Array[] = [];
  const ended = new Promise<Uint8Array>((resolve) => doc.on('end', () => resolve(Buffer.concat(parts))));
  doc.on('data', (part: Uint8Array) => parts.push(part));
  return { doc, ended };
}

function drawInvoice(invoice: InvoiceDetails): Promise<Uint8Array> {
  const { currency, seller } = invoice;
  const { doc, ended } = startPage({ pdfVersion: '1.7', subset: 'PDF/A-3b' });
  addStructured(doc as unknown as Parameters<typeof addStructured>[0], invoice);
  doc.font('bold').fontSize(20).text(invoice.type, LEFT, 56);
  doc.font('regular').fontSize(10).text(`Number ${invoice.number}`).text(`Date ${invoice.period}`);
  if (invoice.month !== null) doc.text(`Payments of ${invoice.month}`);
  if (invoice.corrects !== null) doc.text(`Corrects invoice ${invoice.corrects}`);
  let y = Math.max(drawParty(doc, LEFT, 'Seller', seller), drawParty(doc, 320, 'Customer', invoice.buyer)) + 30;
  drawLine(doc, y);
  y += 10;
  for (const { description, net_amount_micros } of invoice.lines) {
    if (y > LAST_ROW) {
      doc.addPage();
      y = FIRST_ROW;
    }
    y = drawRow(doc, y, description, money(net_amount_micros, currency));
  }
  if (y > LAST_ROW - TOTALS) {
    doc.addPage();
    y = FIRST_ROW;
  }
  drawLine(doc, y);
  y = drawRow(doc, y + 10, 'Net amount', money(invoice.net_amount_micros, currency));
  y = drawRow(doc, y, `VAT ${invoice.tax_rate}%`, money(invoice.amount_micros, currency));
  y = drawRow(doc, y, 'Amount including VAT', money(invoice.amount_including_vat_micros, currency), 'bold');
  doc.font('regular').fontSize(10);
  if (invoice.reverse_charge) doc.text('Reverse charge: the customer accounts for the VAT.', LEFT, y + 16);
  doc.text(invoice.type === 'Invoice' ? 'Paid. No payment is due.' : 'The amount was returned.', LEFT, doc.y + 16);
  doc.end();
  return ended;
}

/** Exact amounts, so that the rows add up to the closing balance. */
const exact = (micros: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency, currencyDisplay: 'code' },
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 6 },
  }).format(micros / MICROS);

/** What was counted for volume prices, by the step that priced it. */
function drawVolumes(doc: Doc, top: number, { volumes, currency }: DrawnStatement): number {
  if (volumes.length === 0) return top;
  const count = (units: number) => new Intl.NumberFormat('en-US').format(units);
  const rows = volumes.flatMap(({ channel, country, network, mccmnc, purpose, units, steps }) => {
    const name = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;
    const destination = [CHANNEL_LABELS[channel as ChannelName], name, network ?? mccmnc, purpose]
      .filter(Boolean)
      .join(', ');
    return [
      { label: destination, units, style: 'bold' as const },
      ...steps.map(({ above_units, price_micros, units: counted }) => ({
        label:
          price_micros === null
            ? 'At the list price'
            : `Above ${count(above_units)} at ${exact(price_micros, currency)}`,
        units: counted,
        style: 'regular' as const,
      })),
    ];
  });
  let y = drawRow(doc, top + 16, 'Counted for volume prices', 'Units', 'bold');
  drawLine(doc, y);
  y += 10;
  for (const { label, units, style } of rows) {
    if (y > LAST_ROW) {
      doc.addPage();
      y = FIRST_ROW;
    }
    y = drawRow(doc, y, label, count(units), style);
  }
  return y;
}

function drawStatement(statement: DrawnStatement): Promise<Uint8Array> {
  const { currency, title } = statement;
  const { doc, ended } = startPage({ info: { Title: `Statement ${title}`, Author: statement.seller } });
  const amount = (micros: number) => exact(micros, currency);
  doc.font('bold').fontSize(20).text('Statement', LEFT, 56);
  doc.font('regular').fontSize(10).text(title).text(statement.company_name, { width: 400 }).text(statement.seller);
  let y = doc.y + 24;
  y = drawRow(doc, y, 'Opening balance', amount(statement.opening_micros), 'bold');
  drawLine(doc, y);
  y += 10;
  for (const { kind, entries_count, amount_micros } of statement.movements) {
    const entries = new Intl.NumberFormat('en-US').format(entries_count);
    y = drawRow(
      doc,
      y,
      `${KIND_TITLES[kind]} (${entries} ${entries_count === 1 ? 'entry' : 'entries'})`,
      amount(amount_micros),
    );
  }
  if (statement.movements.length === 0) y = drawRow(doc, y, 'No movements', '');
  drawLine(doc, y);
  y = drawRow(doc, y + 10, 'Closing balance', amount(statement.closing_micros), 'bold');
  y = drawRow(doc, y, 'Available', amount(statement.available_micros));
  y = drawRow(doc, y, 'Reserved for messages', amount(statement.held_micros));
  y = drawRow(doc, y, 'In review', amount(statement.frozen_micros));
  y = drawVolumes(doc, y, statement);
  doc
    .font('regular')
    .fontSize(9)
    .fillColor('#555555')
    .text('The month is in UTC. This statement is not an invoice.', LEFT, y + 16);
  doc.end();
  return ended;
}

process.on('message', (message) => {
  const drawn = message as Drawn;
  ('invoice' in drawn ? drawInvoice(drawn.invoice) : drawStatement(drawn.statement)).then((pdf) => process.send!(pdf));
});
process.send!('ready');

/**
 * Invoices and credit notes as UN/CEFACT Cross Industry Invoice, in the profile EN 16931 of Factur-X. The file is part
 * of the PDF, so that people and programs read the same document.
 */
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { compact, EXEMPTIONS, escapeXml, legal, type Tax, taxCategory, toAmount, vatId } from './facts.ts';

const EN_16931 = 'urn:cen.eu:en16931:2017';
const STANDARD = 'urn:un:unece:uncefact:data:standard';
const NAMESPACES = [
  `xmlns:rsm="${STANDARD}:CrossIndustryInvoice:100"`,
  `xmlns:ram="${STANDARD}:ReusableAggregateBusinessInformationEntity:100"`,
  `xmlns:udt="${STANDARD}:UnqualifiedDataType:100"`,
].join(' ');
/** The unit “one” of UN/ECE Recommendation 20. */
const ONE = 'C62';

type Child = string | false | null;
const basic = (name: string, text: string, attributes = ''): string =>
  `<ram:${name}${attributes}>${escapeXml(text)}</ram:${name}>`;
const element = (name: string, ...children: Child[]): string =>
  `<${name}>${children.filter(Boolean).join('')}</${name}>`;
const group = (name: string, ...children: Child[]): string => element(`ram:${name}`, ...children);
const date = (name: string, day: string): string =>
  group(name, `<udt:DateTimeString format="102">${day.replaceAll('-', '')}</udt:DateTimeString>`);

const rate = ({ category, rate: percent }: Tax): Child =>
  category !== 'O' && basic('RateApplicablePercent', String(percent));

function party(name: string, facts: InvoiceDetails['buyer'], { category }: Tax, id: string | null): string {
  const vat = vatId(facts);
  const street = legal(facts.address).replace(/\s*\n\s*/g, ', ');
  return group(
    name,
    id && basic('ID', id),
    basic('Name', facts.name),
    group('PostalTradeAddress', street && basic('LineOne', street), basic('CountryID', facts.country_code)),
    // Documents that are outside the scope of VAT must not contain VAT numbers.
    vat && category !== 'O' ? group('SpecifiedTaxRegistration', basic('ID', vat, ' schemeID="VA"')) : null,
  );
}

function line({ description, net_amount_micros }: InvoiceDetails['lines'][number], n: number, tax: Tax): string {
  const net = toAmount(net_amount_micros);
  return group(
    'IncludedSupplyChainTradeLineItem',
    group('AssociatedDocumentLineDocument', basic('LineID', String(n + 1))),
    group('SpecifiedTradeProduct', basic('Name', description)),
    group('SpecifiedLineTradeAgreement', group('NetPriceProductTradePrice', basic('ChargeAmount', net))),
    group('SpecifiedLineTradeDelivery', basic('BilledQuantity', '1', ` unitCode="${ONE}"`)),
    group(
      'SpecifiedLineTradeSettlement',
      group('ApplicableTradeTax', basic('TypeCode', 'VAT'), basic('CategoryCode', tax.category), rate(tax)),
      group('SpecifiedTradeSettlementLineMonetarySummation', basic('LineTotalAmount', net)),
    ),
  );
}

function settlement(invoice: InvoiceDetails, tax: Tax): string {
  const { currency } = invoice;
  const exemption = EXEMPTIONS[tax.category];
  const [net, vat] = [toAmount(invoice.net_amount_micros), toAmount(invoice.amount_micros)];
  const total = toAmount(invoice.amount_including_vat_micros);
  return group(
    'ApplicableHeaderTradeSettlement',
    basic('InvoiceCurrencyCode', currency),
    group(
      'ApplicableTradeTax',
      basic('CalculatedAmount', vat),
      basic('TypeCode', 'VAT'),
      exemption && basic('ExemptionReason', exemption.text),
      basic('BasisAmount', net),
      basic('CategoryCode', tax.category),
      exemption && basic('ExemptionReasonCode', exemption.code),
      rate(tax),
    ),
    group('SpecifiedTradePaymentTerms', date('DueDateDateTime', invoice.period)),
    group(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      basic('LineTotalAmount', net),
      basic('TaxBasisTotalAmount', net),
      basic('TaxTotalAmount', vat, ` currencyID="${currency}"`),
      basic('GrandTotalAmount', total),
      basic('TotalPrepaidAmount', total),
      basic('DuePayableAmount', toAmount(0)),
    ),
    invoice.corrects !== null && group('InvoiceReferencedDocument', basic('IssuerAssignedID', invoice.corrects)),
  );
}

export function toCii(invoice: InvoiceDetails): string {
  const tax = taxCategory(invoice);
  const { seller, buyer } = invoice;
  const is_invoice = invoice.type === 'Invoice';
  const note = is_invoice ? 'Paid. No payment is due.' : 'The amount was returned.';
  const content = [
    element('rsm:ExchangedDocumentContext', group('GuidelineSpecifiedDocumentContextParameter', basic('ID', EN_16931))),
    element(
      'rsm:ExchangedDocument',
      basic('ID', invoice.number),
      basic('TypeCode', is_invoice ? '380' : '381'),
      date('IssueDateTime', invoice.period),
      group('IncludedNote', basic('Content', note)),
    ),
    element(
      'rsm:SupplyChainTradeTransaction',
      ...invoice.lines.map((one, n) => line(one, n, tax)),
      group(
        'ApplicableHeaderTradeAgreement',
        basic('BuyerReference', invoice.account_id),
        party('SellerTradeParty', seller, tax, compact(seller.vat_number)),
        party('BuyerTradeParty', buyer, tax, null),
      ),
      group('ApplicableHeaderTradeDelivery'),
      settlement(invoice, tax),
    ),
  ].join('');
  const root = 'rsm:CrossIndustryInvoice';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACES}>${content}</${root}>\n`;
}

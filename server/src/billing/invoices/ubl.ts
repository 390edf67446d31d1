/**
 * Invoices and credit notes as UBL 2.1, which conforms to EN 16931. If both parties have an address in the Peppol
 * network, the document also follows Peppol BIS Billing 3.0. Amounts of credit notes are positive in UBL.
 */
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { compact, EXEMPTIONS, escapeXml, legal, type Tax, taxCategory, toAmount, vatId } from './facts.ts';

const EN_16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL = `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`;
const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
/** The unit “one” of UN/ECE Recommendation 20. */
const ONE = 'C62';

/** The schemes of VAT numbers in the list of electronic address schemes. */
const ADDRESS_SCHEMES: Readonly<Record<string, string>> = {
  ...{ AT: '9914', BE: '9925', BG: '9926', CY: '9928', CZ: '9929', DE: '9930', EE: '9931', ES: '9920', FI: '0213' },
  ...{ FR: '9957', GR: '9933', HR: '9934', HU: '9910', IE: '9935', IT: '0211', LT: '9937', LU: '9938', LV: '9939' },
  ...{ MT: '9943', NL: '9944', PL: '9945', PT: '9946', RO: '9947', SE: '9955', SI: '9949', SK: '9950' },
};

/** An element with its children in the order of the schema. Empty children are left out. */
type Child = string | false | null;

const basic = (name: string, text: string, attributes = ''): string =>
  `<cbc:${name}${attributes}>${escapeXml(text)}</cbc:${name}>`;
const group = (name: string, ...children: Child[]): string =>
  `<cac:${name}>${children.filter(Boolean).join('')}</cac:${name}>`;

const SCHEME = group('TaxScheme', basic('ID', 'VAT'));
const percent = ({ category, rate }: Tax): Child => category !== 'O' && basic('Percent', String(rate));

function taxElement(name: 'TaxCategory' | 'ClassifiedTaxCategory', tax: Tax): string {
  const exemption = name === 'TaxCategory' ? EXEMPTIONS[tax.category] : null;
  return group(
    name,
    basic('ID', tax.category),
    percent(tax),
    exemption && basic('TaxExemptionReasonCode', exemption.code),
    exemption && basic('TaxExemptionReason', exemption.text),
    SCHEME,
  );
}

function party(facts: InvoiceDetails['buyer'], { category }: Tax, id: string | null): string {
  const vat = vatId(facts);
  const scheme = vat && ADDRESS_SCHEMES[facts.country_code];
  const street = legal(facts.address);
  return group(
    'Party',
    vat && scheme ? basic('EndpointID', vat, ` schemeID="${scheme}"`) : null,
    id && group('PartyIdentification', basic('ID', id)),
    group('PartyName', basic('Name', facts.name)),
    group(
      'PostalAddress',
      street && basic('StreetName', street.replace(/\s*\n\s*/g, ', ')),
      group('Country', basic('IdentificationCode', facts.country_code)),
    ),
    // Documents that are outside the scope of VAT must not contain VAT numbers.
    vat && category !== 'O' ? group('PartyTaxScheme', basic('CompanyID', vat), SCHEME) : null,
    group('PartyLegalEntity', basic('RegistrationName', facts.name)),
  );
}

const isInNetwork = (facts: InvoiceDetails['buyer']): boolean =>
  vatId(facts) !== null && facts.country_code in ADDRESS_SCHEMES;

export function toUbl(invoice: InvoiceDetails): string {
  const is_invoice = invoice.type === 'Invoice';
  const root = is_invoice ? 'Invoice' : 'CreditNote';
  const { currency, seller, buyer } = invoice;
  const tax = taxCategory(invoice);
  const amount = (name: string, micros: number) => basic(name, toAmount(micros), ` currencyID="${currency}"`);
  const net = invoice.net_amount_micros;
  const total = invoice.amount_including_vat_micros;
  const is_peppol = isInNetwork(seller) && isInNetwork(buyer);
  const children: Child[] = [
    basic('CustomizationID', is_peppol ? PEPPOL : EN_16931),
    is_peppol && basic('ProfileID', PEPPOL_PROCESS),
    basic('ID', invoice.number),
    basic('IssueDate', invoice.period),
    is_invoice && basic('DueDate', invoice.period),
    basic(`${root}TypeCode`, is_invoice ? '380' : '381'),
    basic('Note', is_invoice ? 'Paid. No payment is due.' : 'The amount was returned.'),
    basic('DocumentCurrencyCode', currency),
    basic('BuyerReference', invoice.account_id),
    invoice.corrects !== null &&
      group('BillingReference', group('InvoiceDocumentReference', basic('ID', invoice.corrects))),
    group('AccountingSupplierParty', party(seller, tax, compact(seller.vat_number))),
    group('AccountingCustomerParty', party(buyer, tax, null)),
    group(
      'TaxTotal',
      amount('TaxAmount', invoice.amount_micros),
      group(
        'TaxSubtotal',
        amount('TaxableAmount', net),
        amount('TaxAmount', invoice.amount_micros),
        taxElement('TaxCategory', tax),
      ),
    ),
    group(
      'LegalMonetaryTotal',
      amount('LineExtensionAmount', net),
      amount('TaxExclusiveAmount', net),
      amount('TaxInclusiveAmount', total),
      amount('PrepaidAmount', total),
      amount('PayableAmount', 0),
    ),
    ...invoice.lines.map(({ description, net_amount_micros }, n) =>
      group(
        `${root}Line`,
        basic('ID', String(n + 1)),
        basic(is_invoice ? 'InvoicedQuantity' : 'CreditedQuantity', '1', ` unitCode="${ONE}"`),
        amount('LineExtensionAmount', net_amount_micros),
        group('Item', basic('Name', description), taxElement('ClassifiedTaxCategory', tax)),
        group('Price', amount('PriceAmount', net_amount_micros)),
      ),
    ),
  ];
  const namespaces = [
    `xmlns="${UBL}:${root}-2"`,
    `xmlns:cac="${UBL}:CommonAggregateComponents-2"`,
    `xmlns:cbc="${UBL}:CommonBasicComponents-2"`,
  ].join(' ');
  const content = children.filter(Boolean).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${namespaces}>${content}</${root}>\n`;
}

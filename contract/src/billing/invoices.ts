/** Invoices for payments or for the payments of a month, and credit notes for refunds. Their numbers have no gaps. */
import { z } from 'zod';
import { currency, idParams, listQuery, micros, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';

const INVOICE_TYPES = ['Invoice', 'Credit note'] as const;

export const Invoice = z.object({
  id: z.string(),
  account_id: z.string(),
  number: z.string(),
  type: z.enum(INVOICE_TYPES),
  /** Null if the invoice covers the payments of `month`. */
  payment_id: z.string().nullable(),
  /** The month whose payments the invoice covers, such as `2026-11`. Null if it is for one payment. */
  month: z.string().nullable(),
  /** The day on which the invoice was issued. */
  period: z.string(),
  currency,
  /** The VAT. Amounts of credit notes are negative. */
  amount_micros: micros,
  net_amount_micros: micros,
  amount_including_vat_micros: micros,
  tax_rate: z.number(),
  create_date: timestamp,
});
export type Invoice = z.output<typeof Invoice>;

const Party = z.object({
  name: z.string(),
  address: z.string(),
  country_code: z.string(),
  vat_number: z.string(),
});

export const InvoiceDetails = Invoice.extend({
  seller: Party.extend({ bank_details: z.string() }),
  buyer: Party,
  description: z.string(),
  /** One line per payment. */
  lines: z.array(z.object({ date: z.string(), description: z.string(), net_amount_micros: micros })),
  reverse_charge: z.boolean(),
  /** The number of the invoice that a credit note corrects. */
  corrects: z.string().nullable(),
});
export type InvoiceDetails = z.output<typeof InvoiceDetails>;

export const listInvoices = endpoint({
  id: 'invoices.list',
  method: 'GET',
  path: '/v1/invoices/all',
  summary: 'List invoices and credit notes, newest first',
  needs: 'INVOICES:view',
  query: listQuery({ types: wordList(INVOICE_TYPES) }),
  list: true,
  output: Invoice,
  problems: ['VALUE_INVALID'],
});

export const getInvoiceLink = endpoint({
  id: 'invoices.link',
  method: 'GET',
  path: '/v1/invoices/{id}/link',
  summary: 'Get a link to the invoice as a PDF. The link works for ten minutes',
  needs: 'INVOICES:view',
  params: idParams('INVOICE_NOT_FOUND'),
  query: z.object({
    filter: z
      .object({ account_id: uuid('ACCOUNT_NOT_FOUND') })
      .partial()
      .optional(),
  }),
  output: z.object({ url: z.string() }),
  problems: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_READY', 'ACCOUNT_NOT_FOUND'],
});

export const exportInvoice = endpoint({
  id: 'invoices.export',
  method: 'GET',
  path: '/v1/invoices/{id}/ubl',
  summary: 'Download an invoice or credit note as an electronic invoice (UBL 2.1, EN 16931)',
  needs: 'INVOICES:view',
  params: idParams('INVOICE_NOT_FOUND'),
  raw: 'application/xml',
  output: z.null(),
  problems: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_UBL'],
});

export const getInvoice = endpoint({
  id: 'invoices.get',
  method: 'GET',
  path: '/v1/transaction/get/{id}',
  summary: 'Get an invoice with its seller and buyer',
  needs: 'INVOICES:view',
  params: idParams('INVOICE_NOT_FOUND'),
  output: InvoiceDetails,
  problems: ['INVOICE_NOT_FOUND'],
});

/** The companies that issue invoices, for operators. */
import { z } from 'zod';
import { country } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const InvoiceEntity = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  country_code: z.string(),
  vat_number: z.string(),
  bank_details: z.string(),
  number_prefix: z.string(),
});
export type InvoiceEntity = z.output<typeof InvoiceEntity>;

export const listInvoiceEntities = endpoint({
  id: 'invoice_entities.list',
  method: 'GET',
  path: '/v1/invoice_entities',
  summary: 'List the companies that issue invoices',
  needs: 'INVOICES:view',
  audience: 'operator',
  output: z.array(InvoiceEntity),
  problems: ['OPERATOR_ONLY'],
});

export const updateInvoiceEntity = endpoint({
  id: 'invoice_entities.update',
  method: 'PUT',
  path: '/v1/invoice_entities/{entity}',
  summary: 'Change the company that issues invoices. Earlier invoices keep its previous details',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: z.object({ entity: z.coerce.number().int().min(1).max(1000) }),
  body: z.object({
    name: z.string().trim().min(1).max(100),
    address: z.string().trim().max(300).default(''),
    country_code: country('COUNTRY_CODE_INVALID'),
    vat_number: z.string().trim().max(30).default(''),
    bank_details: z.string().trim().max(500).default(''),
    number_prefix: z.string().trim().min(1).max(12),
  }),
  output: InvoiceEntity,
  problems: ['OPERATOR_ONLY', 'COUNTRY_CODE_INVALID', 'INVOICE_ENTITY_NOT_FOUND'],
});

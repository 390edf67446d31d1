/** The tax on an account's payments: by its country and VAT number, or the rate that operators have set. */

import type { Payment } from '@parley/contract/billing/payments.ts';
import { type TaxRule, taxRule } from '@parley/contract/billing/vat.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { findVatCheck } from '../vat/checks.ts';

export interface Buyer extends TaxRule {
  currency: Payment['currency'];
  company_name: string;
  bank_details: string;
}

export async function findBuyer(db: Queryable, account_id: string): Promise<Buyer> {
  const row = await db.one<{
    currency: Payment['currency'];
    company_name: string;
    country_code: string;
    vat_number: string;
    tax_rate: number;
    seller_country: string;
    bank_details: string;
  }>(sql`
    select a.currency, a.company_name, a.country_code, a.vat_number, a.tax_rate::float8 as tax_rate,
           e.country_code as seller_country, e.bank_details
    from accounts a join invoice_entities e on e.id = a.invoice_entity where a.id = ${account_id}`);
  const check = await findVatCheck(db, account_id, row.country_code, row.vat_number);
  return { ...row, ...taxRule(row.seller_country, { ...row, is_vat_refused: check?.status === 'invalid' }) };
}

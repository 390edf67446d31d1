import type { InvoiceEntity } from '@parley/contract/admin/invoice_entities.ts';
import type { Invoice, InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import type { PaymentRow } from '../payments/queries.ts';

const columns = raw(`id, account_id, number, type, payment_id,
  to_char(month, 'YYYY-MM') as month, period::text as period, currency,
  tax_micros as amount_micros, net_micros as net_amount_micros, net_micros + tax_micros as amount_including_vat_micros,
  tax_rate::float8 as tax_rate, create_date`);

export type InvoiceContent = Pick<InvoiceDetails, 'seller' | 'buyer' | 'description' | 'reverse_charge'> &
  // An invoice for one payment has one line, with its description.
  Partial<Pick<InvoiceDetails, 'lines'>>;

interface InvoiceFilter {
  account_id: string;
  types?: readonly string[] | undefined;
}
const matches = ({ account_id, types }: InvoiceFilter): Sql =>
  and([sql`account_id = ${account_id}`, types?.length && sql`type = any(${types}::text[])`]);

export const listInvoiceRows = (db: Queryable, filter: InvoiceFilter, page: Page) =>
  db.rows<Invoice>(sql`
    select ${columns} from invoices
    where ${matches(filter)} and ${page.after ? sql`id < ${page.after}::uuid` : sql`true`}
    order by id desc limit ${page.size + 1} offset ${page.offset}`);

export const countInvoices = async (db: Queryable, filter: InvoiceFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from invoices where ${matches(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findInvoice = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Invoice & { content: InvoiceContent; corrects: string | null }>(sql`
    select ${columns}, content,
      case type when 'Credit note' then (
        select first.number from invoices first
        where first.account_id = ${account_id} and first.type = 'Invoice' and (
          first.payment_id = invoices.payment_id or first.id = (
            select p.invoice_id from invoice_payments p
            where p.account_id = ${account_id} and p.payment_id = invoices.payment_id))
        order by first.id limit 1) end as corrects
    from invoices where account_id = ${account_id} and id = ${id}`);

export const readInvoicedAmount = async (tx: Tx, account_id: string, payment_id: string): Promise<number | null> =>
  (
    await tx.one<{ net_micros: number | null }>(sql`
      select sum(net_micros)::bigint as net_micros from (
        select net_micros from invoices where account_id = ${account_id} and payment_id = ${payment_id}
        union all
        select net_micros from invoice_payments where account_id = ${account_id} and payment_id = ${payment_id}
      ) invoiced`)
  ).net_micros;

const entityColumns = raw('id, name, address, country_code, vat_number, bank_details, number_prefix');

/** Takes the next number. The row stays locked until the commit, so a rollback leaves no gap. */
export const takeNumber = (tx: Tx, entity: number) =>
  tx.one<InvoiceEntity & { taken: number }>(sql`
    update invoice_entities set next_number = next_number + 1 where id = ${entity}
    returning ${entityColumns}, next_number - 1 as taken`);

export const listEntities = (db: Queryable) =>
  db.rows<InvoiceEntity>(sql`select ${entityColumns} from invoice_entities order by id`);

export const updateEntity = (tx: Tx, id: number, entity: Omit<InvoiceEntity, 'id'>) =>
  tx.maybeOne<InvoiceEntity>(sql`
    update invoice_entities set name = ${entity.name}, address = ${entity.address},
      country_code = ${entity.country_code}, vat_number = ${entity.vat_number},
      bank_details = ${entity.bank_details}, number_prefix = ${entity.number_prefix}
    where id = ${id} returning ${entityColumns}`);

export interface NewInvoice {
  account_id: string;
  id: string;
  entity: number;
  number: string;
  type: Invoice['type'];
  payment_id: string | null;
  /** The first day of the month. */
  month: string | null;
  currency: Invoice['currency'];
  net_micros: number;
  tax_micros: number;
  tax_rate: number;
  content: InvoiceContent;
}
export const insertInvoice = (tx: Tx, invoice: NewInvoice) =>
  tx.run(sql`
    insert into invoices (account_id, id, entity, number, type, payment_id, month, period, currency, net_micros,
      tax_micros, tax_rate, content, create_date)
    values (${invoice.account_id}, ${invoice.id}, ${invoice.entity}, ${invoice.number}, ${invoice.type},
      ${invoice.payment_id}, ${invoice.month}, (${tx.now}::timestamptz at time zone 'UTC')::date, ${invoice.currency},
      ${invoice.net_micros}, ${invoice.tax_micros}, ${invoice.tax_rate}, ${JSON.stringify(invoice.content)}::jsonb,
      ${tx.now})`);

/** The account as the buyer, with its issuing company. */
export const readParty = (tx: Tx, account_id: string) =>
  tx.one<InvoiceDetails['buyer'] & { invoice_entity: number }>(sql`
    select invoice_entity, coalesce(nullif(invoice_company, ''), company_name) as name, company_address as address,
           country_code, vat_number
    from accounts where id = ${account_id}`);

/** Other invoices for these payments wait until the transaction ends. */
export const lockPayments = (tx: Tx, account_id: string, types: readonly string[]) =>
  tx.run(sql`
    select 1 from payments where account_id = ${account_id} and type = any(${types}::text[])
      and not exists (select from invoice_payments p where p.account_id = ${account_id} and p.payment_id = payments.id)
      and not exists (select from invoices i where i.account_id = ${account_id} and i.payment_id = payments.id)
    order by id for update`);

/** Payments that were neither returned completely nor invoiced. A statement after the lock sees all invoices. */
export const uninvoicedPayments = (tx: Tx, account_id: string, types: readonly string[], until: Date) =>
  tx.rows<PaymentRow & { day: string }>(sql`
    select p.*, p.tax_rate::float8 as tax_rate,
           (coalesce(p.paid_date, p.create_date) at time zone 'UTC')::date::text as day
    from payments p
    where p.account_id = ${account_id} and p.type = any(${types}::text[])
      and p.status in ('PAID', 'PARTIALLY_REFUNDED') and p.returned_micros < p.amount_micros
      and coalesce(p.paid_date, p.create_date) < ${until}
      and not exists (select from invoice_payments i where i.account_id = ${account_id} and i.payment_id = p.id)
      and not exists (select from invoices i where i.account_id = ${account_id} and i.payment_id = p.id)
    order by coalesce(p.paid_date, p.create_date), p.id`);

export const insertInvoicePayments = (
  tx: Tx,
  account_id: string,
  invoice_id: string,
  parts: readonly { id: string; net_micros: number }[],
) =>
  tx.run(sql`
    insert into invoice_payments (account_id, payment_id, invoice_id, net_micros)
    select ${account_id}::uuid, id, ${invoice_id}::uuid, net_micros
    from unnest(${parts.map(({ id }) => id)}::uuid[], ${parts.map(({ net_micros }) => net_micros)}::bigint[])
      as p(id, net_micros)`);

export const monthlyAccounts = (db: Queryable, after: string | null, limit: number) =>
  db.rows<{ account_id: string }>(sql`
    select account_id from payment_accounts
    where monthly_invoices and ${after === null ? sql`true` : sql`account_id > ${after}::uuid`}
    order by account_id limit ${limit}`);

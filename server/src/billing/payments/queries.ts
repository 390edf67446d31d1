import type { CustomerPayment } from '@parley/contract/admin/payments.ts';
import type { Payment } from '@parley/contract/billing/payments.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

/** The columns of payment `p` that customers see. */
const columns = raw(`p.id, p.account_id, p.type, p.status, p.currency, p.amount_micros, p.tax_micros, p.returned_micros,
  p.dispute, p.brand, p.last4, p.reference, p.failure, p.note, p.create_date, p.paid_date`);
const internalColumns = raw(`p.refunded_micros, p.disputed_micros, p.provider_id, p.method_id, p.fingerprint,
  p.tax_rate::float8 as tax_rate, p.request_key`);

export interface PaymentRow extends Payment {
  refunded_micros: number;
  disputed_micros: number;
  provider_id: string | null;
  method_id: string | null;
  fingerprint: string | null;
  tax_rate: number;
  request_key: string | null;
}

export const lockPayment = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<PaymentRow>(sql`
    select ${columns}, ${internalColumns} from payments p where account_id = ${account_id} and id = ${id} for update`);

export const findPayment = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<PaymentRow>(sql`
    select ${columns}, ${internalColumns} from payments p where account_id = ${account_id} and id = ${id}`);

export const findRequested = (db: Queryable, account_id: string, request_key: string) =>
  db.maybeOne<PaymentRow>(sql`
    select ${columns}, ${internalColumns} from payments p
    where account_id = ${account_id} and request_key = ${request_key}`);

interface NewPayment {
  account_id: string;
  id: string;
  type: Payment['type'];
  currency: Payment['currency'];
  amount_micros: number;
  tax_micros: number;
  tax_rate: number;
  method_id?: string | null;
  reference?: string | null;
  request_key?: string | null;
  note?: string;
}

/** Returns null if the key of the request, the reference, or another automatic top-up under way exists. */
export const insertPayment = (tx: Tx, payment: NewPayment) =>
  tx.maybeOne<PaymentRow>(sql`
    insert into payments as p (account_id, id, type, status, currency, amount_micros, tax_micros, tax_rate, method_id,
      reference, request_key, note, create_date, update_date)
    values (${payment.account_id}, ${payment.id}, ${payment.type}, 'PENDING', ${payment.currency},
      ${payment.amount_micros}, ${payment.tax_micros}, ${payment.tax_rate}, ${payment.method_id ?? null},
      ${payment.reference ?? null}, ${payment.request_key ?? null}, ${payment.note ?? ''}, ${tx.now}, ${tx.now})
    on conflict do nothing
    returning ${columns}, ${internalColumns}`);

type Change = Partial<
  Pick<
    PaymentRow,
    | 'status'
    | 'returned_micros'
    | 'refunded_micros'
    | 'disputed_micros'
    | 'dispute'
    | 'failure'
    | 'brand'
    | 'last4'
    | 'fingerprint'
    | 'method_id'
    | 'provider_id'
  >
>;

/** Stores a payment that the caller has locked. */
export const storePayment = (tx: Tx, row: PaymentRow, change: Change, is_paid = false) => {
  const next = { ...row, ...change };
  return tx.one<PaymentRow>(sql`
    update payments p set status = ${next.status}, returned_micros = ${next.returned_micros},
      refunded_micros = ${next.refunded_micros}, disputed_micros = ${next.disputed_micros}, dispute = ${next.dispute},
      failure = ${next.failure}, brand = ${next.brand}, last4 = ${next.last4}, fingerprint = ${next.fingerprint},
      method_id = ${next.method_id}, provider_id = ${next.provider_id}, update_date = ${tx.now},
      paid_date = case when ${is_paid} then ${tx.now}::timestamptz else p.paid_date end
    where account_id = ${row.account_id} and id = ${row.id}
    returning ${columns}, ${internalColumns}`);
};

export const storeProviderId = (db: Queryable, account_id: string, id: string, provider_id: string) =>
  db.run(sql`
    update payments set provider_id = ${provider_id}
    where account_id = ${account_id} and id = ${id} and provider_id is null`);

interface PaymentFilter {
  account_id: string;
  statuses?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
}

/**
 * A card payment is listed once the provider has received the money. An expected bank transfer is listed immediately.
 */
const listed = (filter: PaymentFilter): Sql =>
  and([
    sql`p.account_id = ${filter.account_id} and p.status <> 'FAILED'
      and (p.status <> 'PENDING' or p.type = 'Bank Transfer')`,
    filter.statuses?.length && sql`p.status = any(${filter.statuses}::text[])`,
    filter.types?.length && sql`p.type = any(${filter.types}::text[])`,
  ]);

export const listPaymentRows = (db: Queryable, filter: PaymentFilter, page: Page) =>
  db.rows<Payment>(sql`
    select ${columns} from payments p where ${listed(filter)}
      and ${page.after ? sql`p.id < ${page.after}::uuid` : sql`true`}
    order by p.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countPayments = async (db: Queryable, filter: PaymentFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from payments p where ${listed(filter)} limit ${page.count_limit}) capped`)
  ).count;

const STATES = {
  review: raw(`p.status = 'FROZEN'`),
  expected: raw(`(p.status = 'PENDING' and p.type = 'Bank Transfer')`),
  disputed: raw(`p.dispute = 'open'`),
  refundable: raw(`(p.provider_id is not null and p.dispute is distinct from 'open'
    and p.status in ('FROZEN', 'PAID', 'PARTIALLY_REFUNDED'))`),
};
const WAITING = ['review', 'expected', 'disputed'] as const;
interface WaitingFilter {
  states?: readonly (keyof typeof STATES)[] | undefined;
  account_id?: string | undefined;
}

const waiting = ({ states, account_id }: WaitingFilter): Sql => {
  const wanted = states?.length ? states : WAITING;
  const any = wanted.map((state) => STATES[state]).reduce((all, state) => sql`${all} or ${state}`);
  return and([sql`(${any})`, account_id && sql`p.account_id = ${account_id}`]);
};

export const listWaiting = (db: Queryable, filter: WaitingFilter, page: Page) =>
  db.rows<CustomerPayment>(sql`
    select ${columns}, a.company_name from payments p join accounts a on a.id = p.account_id
    where ${waiting(filter)} order by p.id ${filter.states?.includes('refundable') ? sql`desc` : sql`asc`}
    limit ${page.size + 1} offset ${page.offset}`);

export const countWaiting = async (db: Queryable, filter: WaitingFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from payments p where ${waiting(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const readCustomerPayment = (db: Queryable, account_id: string, id: string) =>
  db.one<CustomerPayment>(sql`
    select ${columns}, a.company_name from payments p join accounts a on a.id = p.account_id
    where p.account_id = ${account_id} and p.id = ${id}`);

/** Card payments that the provider has not settled, for the sweep. */
export const listPendingPayments = (db: Queryable, older_than_seconds: number, limit: number) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from payments
    where status = 'PENDING' and type in ('Credit Card', 'Auto Top Up')
      and create_date between now() - interval '3 days' and now() - make_interval(secs => ${older_than_seconds})
    order by create_date limit ${limit}`);

/**
 * Starts payments. The payment is stored before the provider is called, and its id is the key of that call. So a
 * repeated request, or one after a crash, continues the same payment.
 */
import { CENT, MINIMUM_TOP_UPS, taxAmount } from '@parley/contract/billing/amounts.ts';
import type { createPaymentIntent as Endpoint, PaymentIntent } from '@parley/contract/billing/payments.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findProvider, withProvider } from '../cards/cards.ts';
import type { PaymentProvider } from '../cards/provider.ts';
import { findCard } from './method_queries.ts';
import { findRequested, insertPayment, type PaymentRow, storeProviderId } from './queries.ts';
import { announcePayment } from './settle.ts';
import { type Buyer, findBuyer } from './tax.ts';

type Body = Parsed<typeof Endpoint>['body'];

export async function createPaymentIntent(ctx: Ctx, body: Body): Promise<PaymentIntent> {
  const { kernel, actor, headers } = ctx;
  const { account_id } = actor;
  const request_key = readRequestKey(headers['idempotency-key']);
  const is_card = body.type === 'Credit Card';
  if (is_card && !findProvider(kernel)) throw new Problem('PAYMENTS_OFF');
  const buyer = await findBuyer(kernel.db, account_id);
  if (body.amount_micros < MINIMUM_TOP_UPS[buyer.currency])
    throw new Problem('PAYMENT_AMOUNT_INVALID', {
      message: `The minimum amount is ${buyer.currency} ${MINIMUM_TOP_UPS[buyer.currency] / 1_000_000}`,
    });
  const card = body.payment_method_id ? await findCard(kernel.db, account_id, body.payment_method_id) : null;
  if (body.payment_method_id && !card) throw new Problem('PAYMENT_METHOD_NOT_FOUND');
  const payment = await kernel.db.tx((tx) => startPayment(tx, account_id, body, buyer, request_key));
  failpoint('payment.stored');
  const client_secret = is_card
    ? await withProvider(kernel, (provider) => openAtProvider(kernel, provider, payment, body))
    : null;
  return toIntent(payment, buyer, client_secret, card?.provider_id ?? null);
}

function readRequestKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(header)) throw new Problem('IDEMPOTENCY_KEY_INVALID');
  return header;
}

async function startPayment(
  tx: Tx,
  account_id: string,
  { amount_micros, type, payment_method_id }: Body,
  { currency, rate }: Buyer,
  request_key: string | null,
): Promise<PaymentRow> {
  const id = newId();
  const inserted = await insertPayment(tx, {
    ...{ account_id, id, type, currency, amount_micros, request_key },
    tax_micros: taxAmount(amount_micros, rate),
    tax_rate: rate,
    method_id: payment_method_id ?? null,
    reference: type === 'Bank Transfer' ? transferReference(id) : null,
  });
  if (inserted) {
    if (type === 'Bank Transfer') await announcePayment(tx, inserted);
    return inserted;
  }
  const existing = request_key === null ? null : await findRequested(tx, account_id, request_key);
  if (!existing) throw new Error('the payment could not be stored');
  const is_same =
    existing.amount_micros === amount_micros &&
    existing.type === type &&
    existing.method_id === (payment_method_id ?? null);
  if (!is_same) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return existing;
}

/** A short text that people can type into their bank’s form. It has no letters that look like digits. */
function transferReference(id: string): string {
  const digits = BigInt(`0x${id.replaceAll('-', '').slice(-14)}`)
    .toString(31)
    .toUpperCase();
  return `PY${digits.padStart(12, '0').slice(-12)}`;
}

async function openAtProvider(
  kernel: Kernel,
  provider: PaymentProvider,
  payment: PaymentRow,
  { save_card }: Body,
): Promise<string> {
  if (payment.provider_id !== null) return provider.readSecret(payment.provider_id);
  const customer_id = await requireCustomer(kernel, provider, payment.account_id);
  const opened = await provider.createPayment({
    ...{ account_id: payment.account_id, payment_id: payment.id, customer_id, currency: payment.currency, save_card },
    amount_cents: (payment.amount_micros + payment.tax_micros) / CENT,
  });
  failpoint('payment.opened');
  await storeProviderId(kernel.db, payment.account_id, payment.id, opened.provider_id);
  return opened.client_secret;
}

/** Returns the account's customer at the provider, which is created on first use. */
export async function requireCustomer(
  kernel: Pick<Kernel, 'db'>,
  provider: PaymentProvider,
  account_id: string,
): Promise<string> {
  const existing = await findCustomer(kernel.db, account_id);
  if (existing) return existing;
  const { company_name } = await kernel.db.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  // Two concurrent calls get the same customer, because the provider's key is the account.
  const customer_id = await provider.createCustomer({ account_id, company_name });
  await kernel.db.run(sql`
    insert into payment_accounts (account_id, customer_id) values (${account_id}, ${customer_id})
    on conflict (account_id) do update set customer_id = coalesce(payment_accounts.customer_id, excluded.customer_id)`);
  return (await findCustomer(kernel.db, account_id))!;
}

export const findCustomer = async (db: Queryable, account_id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ customer_id: string | null }>(
      sql`select customer_id from payment_accounts where account_id = ${account_id}`,
    )
  )?.customer_id ?? null;

const toIntent = (
  payment: PaymentRow,
  buyer: Buyer,
  client_secret: string | null,
  provider_method_id: string | null,
): PaymentIntent => ({
  id: payment.id,
  type: payment.type,
  amount_micros: payment.amount_micros,
  tax_micros: payment.tax_micros,
  tax_rate: payment.tax_rate,
  reverse_charge: buyer.reverse_charge,
  currency: payment.currency,
  client_secret,
  provider_method_id,
  reference: payment.reference,
  bank_details: payment.type === 'Bank Transfer' ? buyer.bank_details : null,
});

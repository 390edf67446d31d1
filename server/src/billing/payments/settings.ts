/** The settings of the card form, and the choices of an account. */
import { MINIMUM_TOP_UPS, SUGGESTED_TOP_UPS } from '@parley/contract/billing/amounts.ts';
import type { PaymentSettings } from '@parley/contract/billing/payments.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findBuyer } from './tax.ts';

interface Choices {
  saves_cards: boolean;
  sends_receipts: boolean;
  sends_statements: boolean;
  monthly_invoices: boolean;
}

/** Implemented by a later stage: invoices for the payments that have none. */
export const monthlyInvoicesEnded = job<{ account_id: string }>('billing.monthly_invoices_ended', { retry: 10 });

const DEFAULTS: Choices = { saves_cards: true, sends_receipts: true, sends_statements: false, monthly_invoices: false };

export const findChoices = async (db: Queryable, account_id: string): Promise<Choices> =>
  (await db.maybeOne<Choices>(
    sql`
      select saves_cards, sends_receipts, sends_statements, monthly_invoices from payment_accounts
      where account_id = ${account_id}`,
  )) ?? DEFAULTS;

export async function getPaymentSettings(
  db: Queryable,
  { config }: Pick<Kernel, 'config'>,
  account_id: string,
): Promise<PaymentSettings> {
  const { currency, rate, reverse_charge } = await findBuyer(db, account_id);
  const choices = await findChoices(db, account_id);
  const cards = config.STRIPE_SECRET_KEY !== null;
  return {
    cards,
    publishable_key: cards ? config.STRIPE_PUBLISHABLE_KEY : null,
    script_url: cards ? config.STRIPE_SCRIPT_URL : null,
    minimum_micros: MINIMUM_TOP_UPS[currency],
    suggested_micros: SUGGESTED_TOP_UPS[currency],
    currency,
    tax_rate: rate,
    reverse_charge,
    ...choices,
  };
}

export async function updatePaymentSettings(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  account_id: string,
  change: { [K in keyof Choices]?: Choices[K] | undefined },
): Promise<PaymentSettings> {
  const before = await findChoices(tx, account_id);
  const { saves_cards, sends_receipts, sends_statements, monthly_invoices } = { ...before, ...change };
  await tx.run(sql`
    insert into payment_accounts (account_id, saves_cards, sends_receipts, sends_statements, monthly_invoices)
    values (${account_id}, ${saves_cards}, ${sends_receipts}, ${sends_statements}, ${monthly_invoices})
    on conflict (account_id) do update set saves_cards = excluded.saves_cards,
      sends_receipts = excluded.sends_receipts, sends_statements = excluded.sends_statements,
      monthly_invoices = excluded.monthly_invoices`);
  if (before.monthly_invoices && !monthly_invoices) await enqueue(tx, monthlyInvoicesEnded, { account_id });
  return getPaymentSettings(tx, kernel, account_id);
}

/** The settings of the card form, and the choices of an account. */
import { MINIMUM_TOP_UPS, SUGGESTED_TOP_UPS } from '@parley/contract/billing/amounts.ts';
import type { PaymentSettings } from '@parley/contract/billing/payments.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findBuyer } from './tax.ts';

interface Choices {
  saves_cards: boolean;
  sends_receipts: boolean;
  sends_statements: boolean;
}

const DEFAULTS: Choices = { saves_cards: true, sends_receipts: true, sends_statements: false };

export const findChoices = async (db: Queryable, account_id: string): Promise<Choices> =>
  (await db.maybeOne<Choices>(
    sql`
      select saves_cards, sends_receipts, sends_statements from payment_accounts where account_id = ${account_id}`,
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
  const { saves_cards, sends_receipts, sends_statements } = { ...(await findChoices(tx, account_id)), ...change };
  await tx.run(sql`
    insert into payment_accounts (account_id, saves_cards, sends_receipts, sends_statements)
    values (${account_id}, ${saves_cards}, ${sends_receipts}, ${sends_statements})
    on conflict (account_id) do update set saves_cards = excluded.saves_cards,
      sends_receipts = excluded.sends_receipts, sends_statements = excluded.sends_statements`);
  return getPaymentSettings(tx, kernel, account_id);
}

/** Emails about payments: receipts, reviews, refunds, and disputes. Each change is reported once. */
import { listCustomerPayments } from '@parley/contract/admin/payments.ts';
import { type Permissions, permits } from '@parley/contract/permission.ts';
import { mailOwners } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { findPayment, type PaymentRow } from './queries.ts';
import { findChoices } from './settings.ts';
import type { BookedChange } from './settle.ts';

export const formatAmount = (micros: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    micros / 1_000_000,
  );

const cardText = ({ brand, last4 }: PaymentRow): string => (last4 ? ` with the ${brand} card ending in ${last4}` : '');

export async function mailPayment(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  account_id: string,
  payment_id: string,
  change: BookedChange,
): Promise<void> {
  const payment = await findPayment(tx, account_id, payment_id);
  if (!payment) return;
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  if (change === 'failed') return;
  if (change === 'paid' && !(await findChoices(tx, account_id)).sends_receipts) return;
  await mailOwners(
    tx,
    { config: kernel.config },
    { id: account_id, company_name },
    {
      ...paymentWords(payment, change),
      action: { label: 'View payments', path: '/billing/payments' },
      dedupe_key: `payment ${change} ${payment.returned_micros} ${payment_id}`,
    },
  );
  if (change === 'frozen' || change === 'disputed') await mailOperators(tx, kernel, company_name, payment, change);
}

function paymentWords(
  payment: PaymentRow,
  change: Exclude<BookedChange, 'failed'>,
): { subject: string; paragraphs: string[] } {
  const amount = formatAmount(payment.amount_micros, payment.currency);
  const tax = payment.tax_micros > 0 ? ` plus ${formatAmount(payment.tax_micros, payment.currency)} tax` : '';
  if (change === 'paid')
    return {
      subject: `We received your payment of ${amount}`,
      paragraphs: [`You paid ${amount}${tax}${cardText(payment)}. The amount was added to your balance.`],
    };
  if (change === 'frozen')
    return {
      subject: `Your payment of ${amount} is in review`,
      paragraphs: [
        `You paid ${amount}${tax}${cardText(payment)}.`,
        'We are reviewing this payment because it is the first one with this card.',
        'The amount is shown as frozen until the review ends. Later payments with this card are available immediately.',
      ],
    };
  const returned = formatAmount(payment.returned_micros, payment.currency);
  if (change === 'returned')
    return {
      subject: `${returned} of your payment was refunded`,
      paragraphs: [`We refunded ${returned} of your payment of ${amount}${cardText(payment)}.`],
    };
  return {
    subject: `Your payment of ${amount} was disputed`,
    paragraphs: [
      `The cardholder’s bank has reversed your payment of ${amount}${cardText(payment)}.`,
      'The amount was removed from your balance.',
      'Contact support if you did not expect this.',
    ],
  };
}

interface Operator {
  id: string;
  account_id: string;
  email: string;
  is_owner: boolean;
  permissions: Permissions;
}

async function mailOperators(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  company_name: string,
  payment: PaymentRow,
  change: 'frozen' | 'disputed',
): Promise<void> {
  const operators = await tx.rows<Operator>(sql`
    select u.id, u.account_id, u.email, u.is_owner, u.permissions from users u join accounts a on a.id = u.account_id
    where a.kind = 'OPERATOR' and u.remove_date is null and not u.blocked order by u.id`);
  const amount = formatAmount(payment.amount_micros, payment.currency);
  const title =
    change === 'frozen' ? `A payment of ${amount} is waiting for review` : `A payment of ${amount} was disputed`;
  for (const operator of operators)
    if (operator.is_owner || permits(operator.permissions, listCustomerPayments.needs))
      await sendMail(tx, {
        to: operator.email,
        account_id: operator.account_id,
        subject: title,
        dedupe_key: `operator payment ${change} ${payment.id} ${operator.id}`,
        ...letter({
          title,
          paragraphs: [`${company_name} paid ${amount}${cardText(payment)}.`],
          action: { label: 'Open payments', url: `${config.ADMIN_URL}/payments` },
          footer: 'You received this email because you manage payments.',
        }),
      });
}

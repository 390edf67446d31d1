/** Emails about low balances and automatic top-ups. */
import { mailOwners } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { formatAmount } from '../payments/mails.ts';

type Config = Pick<Kernel, 'config'>;

const readCompanyName = async (tx: Tx, account_id: string): Promise<string> =>
  (await tx.one<{ company_name: string }>(sql`select company_name from accounts where id = ${account_id}`))
    .company_name;

interface Alert {
  account_id: string;
  to: string;
  currency: string;
  available_micros: number;
  threshold_micros: number;
}

export async function mailAlert(tx: Tx, { config }: Config, alert: Alert): Promise<void> {
  const company = await readCompanyName(tx, alert.account_id);
  const title = `The balance is below ${formatAmount(alert.threshold_micros, alert.currency)}`;
  await sendMail(tx, {
    to: alert.to,
    account_id: alert.account_id,
    subject: title,
    ...letter({
      title,
      paragraphs: [
        `The balance of ${company} is ${formatAmount(alert.available_micros, alert.currency)}.`,
        'Add funds to keep sending messages.',
      ],
      action: { label: 'Add funds', url: `${config.PUBLIC_URL}/add-funds` },
      footer: `You received this email because ${company} sends credit alerts to this address.`,
    }),
  });
}

export async function mailStopped(
  tx: Tx,
  kernel: Config,
  account_id: string,
  payment_id: string,
  failure: string | null,
): Promise<void> {
  const company_name = await readCompanyName(tx, account_id);
  await mailTopUpStopped(
    tx,
    kernel,
    { id: account_id, company_name },
    [
      `The card for the auto top-up of ${company_name} was declined: ${failure ?? 'no reason was given.'}`,
      'The card will not be charged again. Check the card, then turn auto top-up back on.',
    ],
    { label: 'Open auto top-up', path: '/billing/auto-top-up' },
    payment_id,
  );
}

export async function mailUnusual(tx: Tx, kernel: Config, account_id: string): Promise<void> {
  const company_name = await readCompanyName(tx, account_id);
  await mailTopUpStopped(
    tx,
    kernel,
    { id: account_id, company_name },
    [
      `The messages of ${company_name} cost far more than usual, so the card was not charged.`,
      'Check the traffic. If it is expected, save the auto top-up settings to continue.',
    ],
    { label: 'Open anomalies', path: '/insights?tab=anomalies' },
    `unusual ${tx.now.toISOString()} ${account_id}`,
  );
}

/** `cause` identifies the stop, so that a repeated job sends no second email. */
const mailTopUpStopped = (
  tx: Tx,
  kernel: Config,
  company: { id: string; company_name: string },
  paragraphs: string[],
  action: { label: string; path: string },
  cause: string,
): Promise<void> =>
  mailOwners(tx, kernel, company, {
    subject: 'Auto top-up has stopped',
    ...{ paragraphs, action },
    dedupe_key: `auto top-up stopped ${cause}`,
  });

export async function mailLimit(
  tx: Tx,
  { config }: Config,
  account_id: string,
  unit: 'day' | 'month',
  next: Date,
): Promise<void> {
  const company_name = await readCompanyName(tx, account_id);
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: 'Auto top-up has reached its limit',
      paragraphs: [
        `The auto top-up of ${company_name} has reached its limit per ${unit}. The next top-up can start on ` +
          `${next.toISOString().slice(0, 10)} at 00:00 UTC.`,
        'Check whether the spending is expected. You can raise the limit or add funds at any time.',
      ],
      action: { label: 'Open auto top-up', path: '/billing/auto-top-up' },
      dedupe_key: `auto top-up limit ${unit} ${next.toISOString()} ${account_id}`,
    },
  );
}

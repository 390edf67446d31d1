/** Notifies operators by email about differences from the payment provider. */
import { resolveDifference } from '@parley/contract/admin/reconciliation.ts';
import { permits } from '@parley/contract/permission.ts';
import { differencesFound } from '../../billing/billing.ts';
import { sql } from '../../kernel/db/db.ts';
import { type JobWork, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { listOperators, type Operator } from '../requests/request_mails.ts';

export const jobs: readonly JobWork[] = [work(differencesFound, (kernel, { id }) => notifyDifferences(kernel, id))];

function notifyDifferences({ db, config }: Kernel, id: string): Promise<void> {
  return db.tx(async (tx) => {
    const { count } = await tx.one<{ count: number }>(sql`
      select count(*) from payment_differences where reconciliation_id = ${id} and status = 'open'`);
    // An operator has already resolved them.
    if (count === 0) return;
    for (const operator of await listOperators(tx))
      if (permits(operator.permissions, resolveDifference.needs))
        await sendMail(tx, differencesMail(config.ADMIN_URL, operator, id, count));
  });
}

function differencesMail(admin: string, operator: Operator, id: string, count: number) {
  const title = count === 1 ? 'A payment does not match the provider' : `${count} payments do not match the provider`;
  return {
    to: operator.email,
    account_id: operator.account_id,
    subject: title,
    dedupe_key: `reconciliation ${id} ${operator.id}`,
    ...letter({
      title,
      paragraphs: [
        operator.first_name ? `Hello ${operator.first_name},` : 'Hello,',
        'The daily comparison with the payment provider found differences that it could not settle.',
        'Check each one, correct the balance if necessary, then resolve it with a reason.',
      ],
      action: { label: 'Open differences', url: `${admin}/payments/reconciliation?statuses=open` },
      footer: 'You received this email because you manage payments.',
    }),
  };
}

import { BRAND_NAME } from '../kernel/brand/brand.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';

/**
 * Notifies an operator that codes to `place` were stopped. If an email with the same `key` already exists, no second
 * email is written.
 */
export async function mailCodesStopped(
  tx: Tx,
  { config }: Kernel,
  to: string,
  { place, sends, usual }: { place: string; sends: number; usual: number },
  key: string,
): Promise<void> {
  const title = `Verification codes to ${place} were stopped`;
  const before =
    usual === 0
      ? 'The previous week had no unused codes.'
      : `The busiest hour of the previous week had ${usual} unused codes.`;
  await sendMail(tx, {
    to,
    subject: title,
    dedupe_key: key,
    ...letter({
      title,
      paragraphs: [
        `Within one hour, ${sends} codes were sent to phone numbers in ${place}, and none of them was used. ${before}`,
        'This pattern is typical of SMS fraud, in which fraudsters earn money from codes sent to their own numbers. ' +
          'No more codes will be sent there.',
        'Until you allow codes again, users cannot verify phone numbers in this range or country.',
      ],
      action: { label: 'Open Health', url: `${config.ADMIN_URL}/health` },
      footer: `You received this email because you manage ${BRAND_NAME} for your company.`,
    }),
  });
}

/** Selects the operators who can remove a code stop: owners, and users who can edit accounts. */
export const selectStopRecipients = (tx: Tx) =>
  tx.rows<{ email: string }>(sql`
    select distinct l.email from users u join logins l on l.id = u.login_id join accounts a on a.id = u.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and not u.blocked and u.remove_date is null
      and (u.is_owner or ((u.permissions->>'ACCOUNTS')::int & 4) <> 0)
    order by 1`);

/** Notifies the people who manage webhooks that one was disabled. */
import { permits } from '@parley/contract/permission.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';

interface Disabled {
  account_id: string;
  id: string;
  url: string;
  /** The first failed attempt. */
  since: string;
}

export async function notifyDisabled(tx: Tx, app: string, { account_id, id, url, since }: Disabled): Promise<void> {
  const users = await tx.rows<{ id: string; email: string; first_name: string; permissions: object; owner: boolean }>(
    sql`select id, email, first_name, permissions, is_owner as owner from users
        where account_id = ${account_id} and remove_date is null and not blocked and login_id is not null`,
  );
  const host = new URL(url).host;
  for (const user of users.filter(({ owner, permissions }) => owner || permits(permissions, 'WEBHOOKS:edit')))
    await sendMail(tx, {
      to: user.email,
      account_id,
      subject: `The webhook to ${host} is disabled`,
      dedupe_key: `webhook ${id} ${since} ${user.id}`,
      ...letter({
        brand: 'Parley',
        title: `The webhook to ${host} is disabled`,
        paragraphs: [
          user.first_name ? `Hello ${user.first_name},` : 'Hello,',
          `All deliveries to this webhook have failed since ${since} UTC.`,
          'Fix the server and resume the webhook. Then you can resend the failed deliveries.',
        ],
        action: { label: 'Open webhook', url: `${app}/apis/webhooks?open=${id}` },
        footer: 'You received this email because you manage the webhooks of your company.',
      }),
    });
}

/** Notifies the people who manage export destinations that one was disabled. */
import { permits } from '@parley/contract/permission.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';

interface Disabled {
  account_id: string;
  destination_id: string;
  run_id: string;
  name: string;
  reason: string;
}

export async function mailDisabled(tx: Tx, app: string, disabled: Disabled): Promise<void> {
  const { account_id, destination_id, run_id, name, reason } = disabled;
  const users = await tx.rows<{ id: string; email: string; first_name: string; permissions: object; owner: boolean }>(
    sql`select id, email, first_name, permissions, is_owner as owner from users
        where account_id = ${account_id} and remove_date is null and not blocked and login_id is not null`,
  );
  for (const user of users.filter(({ owner, permissions }) => owner || permits(permissions, 'WEBHOOKS:edit')))
    await sendMail(tx, {
      to: user.email,
      account_id,
      subject: `Exports are no longer uploaded to ${name}`,
      dedupe_key: `export destination ${destination_id} ${run_id} ${user.id}`,
      ...letter({
        title: `Exports are no longer uploaded to ${name}`,
        paragraphs: [
          user.first_name ? `Hello ${user.first_name},` : 'Hello,',
          reason,
          'Fix the destination or its settings and test the connection. Then the waiting files are uploaded.',
        ],
        action: { label: 'Open exports', url: `${app}/exports` },
        footer: 'You received this email because you manage the connections of your company.',
      }),
    });
}

/** Emails to the people who manage webhooks. */
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

export const notifyDisabled = (tx: Tx, app: string, { account_id, id, url, since }: Disabled): Promise<void> =>
  notifyManagers(tx, app, {
    ...{ account_id, id, key: since, title: `The webhook to ${new URL(url).host} is disabled` },
    paragraphs: [
      `All deliveries to this webhook have failed since ${since} UTC.`,
      'Fix the server and resume the webhook. Then you can send the failed deliveries again.',
    ],
  });

interface Expiring {
  account_id: string;
  id: string;
  url: string;
  expire_date: string;
  /** The number of days that are left; 0 if it has expired. */
  warning: number;
}

export function notifyExpiry(tx: Tx, app: string, { account_id, id, url, expire_date, warning }: Expiring) {
  const verb = warning === 0 ? 'has expired' : 'expires soon';
  const when = warning === 0 ? `It expired on ${expire_date} UTC` : `It expires on ${expire_date} UTC`;
  return notifyManagers(tx, app, {
    ...{ account_id, id, key: `certificate ${expire_date} ${warning}` },
    title: `The client certificate for ${new URL(url).host} ${verb}`,
    paragraphs: [
      `The webhook to ${new URL(url).host} presents a client certificate. ${when}.`,
      'Pause the webhook, replace its certificate, configure your server to trust the new one, and resume the ' +
        'webhook. No delivery is lost in the meantime.',
    ],
  });
}

interface Notice {
  account_id: string;
  /** The webhook. */
  id: string;
  /** Different for each notice about the webhook. */
  key: string;
  title: string;
  paragraphs: readonly string[];
}

async function notifyManagers(tx: Tx, app: string, { account_id, id, key, title, paragraphs }: Notice): Promise<void> {
  const users = await tx.rows<{ id: string; email: string; first_name: string; permissions: object; owner: boolean }>(
    sql`select id, email, first_name, permissions, is_owner as owner from users
        where account_id = ${account_id} and remove_date is null and not blocked and login_id is not null`,
  );
  for (const user of users.filter(({ owner, permissions }) => owner || permits(permissions, 'WEBHOOKS:edit')))
    await sendMail(tx, {
      to: user.email,
      account_id,
      subject: title,
      dedupe_key: `webhook ${id} ${key} ${user.id}`,
      ...letter({
        title,
        paragraphs: [user.first_name ? `Hello ${user.first_name},` : 'Hello,', ...paragraphs],
        action: { label: 'Open webhook', url: `${app}/apis/webhooks?open=${id}` },
        footer: 'You received this email because you manage the webhooks of your company.',
      }),
    });
}

/**
 * Notifies operators about new requests by email. An operator gets at most one email every 15 minutes, only about
 * requests that the operator may decide on and that are still waiting.
 */

import { KIND_LABELS, type Request, requestPermission } from '@parley/contract/admin/requests.ts';
import { allPermissions, type Permissions, permits } from '@parley/contract/permission.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { type JobWork, job, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { listWaitingSince } from './request_queries.ts';

const notifyJob = job('requests.tell', { cron: '*/15 * * * *', retry: 2 });
export const jobs: readonly JobWork[] = [work(notifyJob, notifyOperators)];

/**
 * The maximum time that a transaction may take to commit a request. Requests sent more recently than this are included
 * in the next email.
 */
const COMMIT_MS = 60_000;
const MAX_LINKS = 10;

export function notifyOperators({ db, config }: Pick<Kernel, 'db' | 'config'>): Promise<void> {
  return db.tx(async (tx) => {
    const until = new Date(tx.now.getTime() - COMMIT_MS);
    await tx.run(sql`insert into request_mails (notified_date) values ('-infinity') on conflict do nothing`);
    const { since } = await tx.one<{ since: string }>(sql`
      select notified_date::text as since from request_mails for update`);
    const waiting = await listWaitingSince(tx, since, until);
    await tx.run(sql`update request_mails set notified_date = ${until}`);
    if (waiting.length === 0) return;
    for (const operator of await listOperators(tx)) {
      const permitted = waiting.filter(({ kind }) => permits(operator.permissions, requestPermission(kind, 'edit')));
      if (permitted.length > 0) await sendMail(tx, operatorMail(config.ADMIN_URL, operator, permitted, until));
    }
  });
}

export interface Operator {
  id: string;
  account_id: string;
  email: string;
  first_name: string;
  permissions: Permissions;
}

export const listOperators = async (tx: Tx): Promise<Operator[]> =>
  (
    await tx.rows<Operator & { is_owner: boolean }>(sql`
      select u.id, u.account_id, u.email, u.first_name, u.permissions, u.is_owner from users u
      join accounts a on a.id = u.account_id
      where a.kind = 'OPERATOR' and u.remove_date is null and not u.blocked order by u.id`)
  ).map(({ is_owner, ...user }) => (is_owner ? { ...user, permissions: allPermissions() } : user));

function operatorMail(
  admin: string,
  { id, account_id, email, first_name }: Operator,
  waiting: readonly Request[],
  until: Date,
) {
  const count = waiting.length;
  const greeting = first_name ? `Hello ${first_name},` : 'Hello,';
  const title = count === 1 ? 'A new request is waiting for review' : `${count} new requests are waiting for review`;
  const news = count === 1 ? 'A request has arrived' : `${count} requests have arrived`;
  const more = count > MAX_LINKS ? ` The ${MAX_LINKS} oldest are listed here.` : '';
  const label = ({ kind, name, company_name }: Request) =>
    [`${KIND_LABELS[kind]}: ${name}`, ...(kind === 'company' ? [] : [company_name])].join(', ');
  return {
    to: email,
    account_id,
    subject: title,
    dedupe_key: `requests ${id} ${until.toISOString()}`,
    ...letter({
      title,
      paragraphs: [greeting, `${news} since the last email.${more}`],
      action: { label: 'Open requests', url: `${admin}/requests` },
      links: waiting.slice(0, MAX_LINKS).map((request) => ({
        label: label(request),
        url: `${admin}/requests?open=${request.id}`,
      })),
      footer: 'You received this email because you review customer requests.',
    }),
  };
}

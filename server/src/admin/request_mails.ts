/**
 * Operators are told by mail of what has come into the queue: at most one mail in a quarter of an hour, to each who may decide on something of it, and
 * none of what was decided before it left.
 */

import { KIND_WORDS, type Request, rightOf } from '@parley/contract/admin/requests.ts';
import { allPermissions, type Permissions, permits } from '@parley/contract/permission.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { waitingSince } from './request_queries.ts';

const tellJob = job('requests.tell', { cron: '*/15 * * * *', retry: 2 });
export const jobs: readonly JobWork[] = [work(tellJob, tellOfNew)];

/** A transaction that sends a request may take as long to commit: what it sent is not passed over. */
const LATE_MS = 60_000;
const NAMED = 10;

export function tellOfNew({ db, config }: Pick<Kernel, 'db' | 'config'>): Promise<void> {
  return db.tx(async (tx) => {
    const until = new Date(tx.now.getTime() - LATE_MS);
    await tx.run(sql`insert into request_mails (notified_date) values ('-infinity') on conflict do nothing`);
    const { since } = await tx.one<{ since: string }>(sql`
      select notified_date::text as since from request_mails for update`);
    const waiting = await waitingSince(tx, since, until);
    await tx.run(sql`update request_mails set notified_date = ${until}`);
    if (waiting.length === 0) return;
    for (const operator of await operators(tx)) {
      const theirs = waiting.filter(({ kind }) => permits(operator.permissions, rightOf(kind, 'edit')));
      if (theirs.length > 0) await sendMail(tx, mailOf(config.ADMIN_URL, operator, theirs, until));
    }
  });
}

interface Operator {
  id: string;
  account_id: string;
  email: string;
  first_name: string;
  permissions: Permissions;
}

const operators = async (tx: Tx): Promise<Operator[]> =>
  (
    await tx.rows<Operator & { is_owner: boolean }>(sql`
      select u.id, u.account_id, u.email, u.first_name, u.permissions, u.is_owner from users u join accounts a on a.id = u.account_id
      where a.kind = 'OPERATOR' and u.remove_date is null and not u.blocked order by u.id`)
  ).map(({ is_owner, ...user }) => (is_owner ? { ...user, permissions: allPermissions() } : user));

function mailOf(
  admin: string,
  { id, account_id, email, first_name }: Operator,
  waiting: readonly Request[],
  until: Date,
) {
  const count = waiting.length;
  const title = count === 1 ? 'A request waits for you' : `${count} requests wait for you`;
  const more = count > NAMED ? ` These are the ${NAMED} that have waited longest.` : '';
  return {
    to: email,
    account_id,
    subject: title,
    dedupe_key: `requests ${id} ${until.toISOString()}`,
    ...letter({
      brand: 'Parley',
      title,
      paragraphs: [
        `${first_name ? `Hello ${first_name},` : 'Hello,'} ${count === 1 ? 'it has' : 'they have'} come since you were last told.${more}`,
      ],
      action: { label: 'Open the queue', url: `${admin}/requests` },
      links: waiting.slice(0, NAMED).map((request) => ({
        label: `${KIND_WORDS[request.kind]}: ${request.name}${request.kind === 'company' ? '' : `, ${request.company_name}`}`,
        url: `${admin}/requests?open=${request.id}`,
      })),
      footer: 'You receive this because you decide on requests of customers.',
    }),
  };
}

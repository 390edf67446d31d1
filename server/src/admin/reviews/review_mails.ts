/**
 * Emails about reviews, at most one every five minutes: to the operators about waiting messages, and to the owners of
 * an account about messages that were rejected. Decided reviews are deleted after 90 days.
 */
import { decideMessageReviews } from '@parley/contract/guard/message_reviews.ts';
import { permits } from '@parley/contract/permission.ts';
import { mailOwners } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { type JobWork, job, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { listOperators, type Operator } from '../requests/request_mails.ts';

const mailJob = job('reviews.mail', { cron: '*/5 * * * *', retry: 2 });
const pruneJob = job('reviews.prune', { cron: '23 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(mailJob, async (kernel) => {
    await mailOperators(kernel);
    await mailAccounts(kernel);
  }),
  work(pruneJob, prune),
];

/** The maximum time that a transaction may take to commit. Messages held later are in the next email. */
const COMMIT_MS = 60_000;

interface News {
  count: number;
  accounts: number;
  waiting: number;
}

export function mailOperators({ db, config }: Pick<Kernel, 'db' | 'config'>): Promise<void> {
  return db.tx(async (tx) => {
    const until = new Date(tx.now.getTime() - COMMIT_MS);
    await tx.run(sql`insert into review_mails (notified_date) values ('-infinity') on conflict do nothing`);
    const { since } = await tx.one<{ since: string }>(sql`
      select notified_date::text as since from review_mails for update`);
    const news = await tx.one<News>(sql`
      select count(*) filter (where create_date > ${since}::timestamptz and create_date <= ${until})::int as count,
        count(distinct account_id)
          filter (where create_date > ${since}::timestamptz and create_date <= ${until})::int as accounts,
        count(*)::int as waiting
      from message_reviews where state = 'waiting'`);
    if (news.count === 0) return;
    await tx.run(sql`update review_mails set notified_date = ${until}`);
    for (const operator of await listOperators(tx))
      if (permits(operator.permissions, decideMessageReviews.needs))
        await sendMail(tx, operatorMail(config.ADMIN_URL, operator, news, until));
  });
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

function operatorMail(admin: string, { id, account_id, email, first_name }: Operator, news: News, until: Date) {
  const { count, accounts, waiting } = news;
  const title = count === 1 ? 'A message is waiting for review' : `${plural(count, 'message')} are waiting for review`;
  return {
    to: email,
    account_id,
    subject: title,
    dedupe_key: `reviews ${id} ${until.toISOString()}`,
    ...letter({
      title,
      paragraphs: [
        first_name ? `Hello ${first_name},` : 'Hello,',
        `Content rules have held ${plural(count, 'message')} of ${plural(accounts, 'account')} since the last email. ` +
          `${plural(waiting, 'message')} are waiting in total. Messages that are not reviewed in time expire.`,
      ],
      action: { label: 'Open reviews', url: `${admin}/reviews` },
      footer: 'You received this email because you review messages.',
    }),
  };
}

interface Rejected {
  account_id: string;
  company_name: string;
  count: number;
  reasons: string[];
}

export function mailAccounts({ db, config }: Pick<Kernel, 'db' | 'config'>): Promise<void> {
  return db.tx(async (tx) => {
    const rejected = await tx.rows<Rejected>(sql`
      with mailed as (
        update message_reviews r set mail_date = ${tx.now}
        where state = 'rejected' and mail_date is null
        returning r.account_id, r.reason
      )
      select m.account_id, a.company_name, count(*)::int as count,
        array_agg(distinct m.reason order by m.reason) as reasons
      from mailed m join accounts a on a.id = m.account_id group by 1, 2`);
    for (const account of rejected) await mailAccount(tx, config, account);
  });
}

const MAX_REASONS = 5;

const mailAccount = (tx: Tx, config: Kernel['config'], { account_id, company_name, count, reasons }: Rejected) =>
  mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: count === 1 ? 'A message was rejected in review' : `${plural(count, 'message')} were rejected in review`,
      paragraphs: [
        `${plural(count, 'message')} of ${company_name} ${count === 1 ? 'was' : 'were'} held because of the content ` +
          'and then rejected. You are not charged for rejected messages.',
        ...reasons.slice(0, MAX_REASONS).map((reason) => `Reason: ${reason}`),
      ],
      action: { label: 'Open message log', path: '/insights' },
      dedupe_key: `review rejections ${account_id} ${tx.now.toISOString()}`,
    },
  );

const KEEP_FOR = '90 days';
const BATCH = 5_000;

async function prune({ db }: Kernel, _: object, signal: AbortSignal): Promise<void> {
  for (let pruned = BATCH; pruned === BATCH && !signal.aborted; )
    pruned = await db.run(sql`
      delete from message_reviews where (account_id, message_id) in (
        select account_id, message_id from message_reviews
        where state <> 'waiting' and create_date < now() - ${KEEP_FOR}::interval limit ${BATCH})`);
  await db.run(sql`delete from sender_link_counts where hour < now() - interval '2 days'`);
}

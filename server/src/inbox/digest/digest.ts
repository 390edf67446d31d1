/**
 * Digests of the inbox by email: the conversations that need a user's attention, at most once per period, and only if
 * there are any. A digest, and the time of the next one, are one transaction.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { DigestSettings, updateDigestSettings } from '@parley/contract/inbox/digests.ts';
import { BUCKETS, canViewBucket } from '@parley/contract/inbox/inbox.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { readTimezone } from '../../accounts/accounts.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { countUnseen } from '../mention_queries.ts';
import { bucketCase } from '../queries.ts';
import { setMentionMails, unsubscribeUrl } from '../unsubscribing/unsubscribing.ts';
import { listWatchedViews } from '../view_notifications/view_notifications.ts';
import * as queries from './digest_queries.ts';

/** Sends the digests that are due. Reads no others. */
export const digestJob = job<object>('inbox.send_digests', { cron: '*/5 * * * *', retry: 0, expire_seconds: 280 });

const LISTED = 5;
/** A digest that cannot be written is retried later, so that it delays no others. */
const RETRY_MS = 3_600_000;

export const getDigest = (db: Queryable, actor: Actor): Promise<DigestSettings> =>
  queries.readDigest(db, actor.account_id, requireUser(actor));

export async function saveDigest(
  tx: Tx,
  actor: Actor,
  changes: Parsed<typeof updateDigestSettings>['body'],
): Promise<DigestSettings> {
  const { account_id } = actor;
  const user_id = requireUser(actor);
  const settings = { ...(await queries.readDigest(tx, account_id, user_id)), ...changes };
  const { every_hours, mention_emails } = settings;
  if (changes.mention_emails !== undefined) await setMentionMails(tx, account_id, user_id, mention_emails);
  const timezone = readTimezone(settings.timezone);
  if (every_hours === null) await queries.deleteDigest(tx, account_id, user_id);
  else await queries.saveDigest(tx, account_id, user_id, { ...settings, every_hours, timezone });
  return { ...settings, timezone };
}

function requireUser({ user_id }: Actor): string {
  if (user_id === null) throw new Problem('PERMISSION_REQUIRED');
  return user_id;
}

export async function sendDigests(kernel: Kernel, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; ) hasMore = await sendNext(kernel);
}

async function sendNext({ db, clock, config, log }: Kernel): Promise<boolean> {
  let due: queries.DueDigest | null = null;
  try {
    await db.tx(async (tx) => {
      due = await queries.lockDue(tx, clock.now());
      if (due) await sendDigest(tx, config, due, clock.now());
    });
  } catch (error) {
    if (!due) throw error;
    log.error({ err: error }, 'inbox digest');
    await queries.postpone(db, due, new Date(clock.now().getTime() + RETRY_MS));
  }
  return due !== null;
}

async function sendDigest(tx: Tx, config: Config, due: queries.DueDigest, now: Date): Promise<void> {
  const { quiet_until } = due;
  if (quiet_until) return void (await queries.postpone(tx, due, quiet_until));
  if (!due.blocked) await writeDigest(tx, config, due, now);
  await queries.advance(tx, due, now);
  failpoint('before_digest_commit');
}

async function writeDigest(tx: Tx, config: Config, due: queries.DueDigest, now: Date): Promise<void> {
  const app = config.PUBLIC_URL;
  const { account_id, user_id, is_owner, email, first_name } = due;
  const viewer = { user_id, permissions: is_owner ? allPermissions() : due.permissions };
  const buckets = BUCKETS.filter((bucket) => canViewBucket(bucket, viewer));
  const views = await listWatchedViews(tx, { account_id, ...viewer });
  const counts = await queries.countWaiting(tx, { account_id, user_id, buckets, views }, now);
  const unread = await queries.countUnread(
    tx,
    views.filter(({ digest }) => digest),
  );
  const mentions =
    buckets.length > 0 ? await countUnseen(tx, { account_id, user_id, buckets }, bucketCase(user_id)) : 0;
  const lines = [...describe({ ...counts, mentions }), ...describeViews(unread)];
  if (lines.length === 0) return;
  const listed =
    counts.waiting > 0 && buckets.includes('self')
      ? await queries.listLongestWaiting(tx, account_id, user_id, LISTED)
      : [];
  await sendMail(tx, {
    to: email,
    account_id,
    subject: `Your inbox: ${lines[0]}`,
    dedupe_key: `digest ${account_id} ${user_id} ${due.due}`,
    unsubscribe_url: unsubscribeUrl(config, tx.db.seals, { account_id, user_id, kind: 'digest' }),
    ...letter({
      title: 'Your inbox digest',
      paragraphs: [first_name ? `Hello ${first_name},` : 'Hello,', ...lines],
      action: { label: 'Open inbox', url: `${app}/inbox` },
      links: listed.map(({ id, name }) => ({ label: name, url: `${app}/inbox/assigned-to-me?conversation=${id}` })),
      also: { label: 'Turn off or change this digest', url: `${app}/settings/user#notifications` },
      footer: 'You received this email because you turned on the inbox digest.',
    }),
  });
}

const describeCount = (count: number, one: string, many: string): string => {
  const isCapped = count >= queries.DIGEST_COUNT_MAX;
  return `${isCapped ? `${queries.DIGEST_COUNT_MAX} or more` : count} ${count === 1 ? one : many}`;
};

/** The saved views that the user wants in the digest. */
const describeViews = (views: readonly { name: string; unread: number }[]): string[] =>
  views
    .filter(({ unread }) => unread > 0)
    .map(({ name, unread }) => `${describeCount(unread, 'unread conversation', 'unread conversations')} in “${name}”`);

function describe({
  unread,
  waiting,
  unassigned,
  overdue,
  mentions,
}: queries.Waiting & { mentions: number }): string[] {
  const parts: [number, string, string][] = [
    [overdue, 'overdue conversation', 'overdue conversations'],
    [waiting, 'conversation is waiting for your reply', 'conversations are waiting for your reply'],
    [unread, 'unread conversation assigned to you', 'unread conversations assigned to you'],
    [mentions, 'conversation mentions you', 'conversations mention you'],
    [unassigned, 'unread, unassigned conversation', 'unread, unassigned conversations'],
  ];
  return parts.filter(([count]) => count > 0).map(([count, one, many]) => describeCount(count, one, many));
}

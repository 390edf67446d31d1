/** Background work around messages. What only grows is cut back here; the ids of carriers stay as long as a receipt can come, and then some. */
import { phoneCode, phoneNotice } from '../auth/auth.ts';
import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { expireUnreported } from './expiry.ts';
import { fetchFile, fileJob } from './inbound_files.ts';
import { answerKeyword, keywordAnswer } from './keywords.ts';
import { markRead, readJob } from './mark_read.ts';
import { sendPhoneCode, sendPhoneNotice } from './phone_codes.ts';
import { pruneUnmatched } from './unmatched.ts';

const BATCH = 5_000;
const SUBMISSIONS_KEPT = '30 days';

const expire = job('messages.expire_unreported', { cron: '7 */6 * * *', retry: 0, expire_seconds: 3_600 });
const prune = job('messages.prune', { cron: '37 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(keywordAnswer, answerKeyword),
  work(fileJob, fetchFile),
  work(readJob, markRead),
  work(phoneCode, sendPhoneCode),
  work(phoneNotice, sendPhoneNotice),
  work(expire, ({ db }, _, signal) => expireUnreported(db, signal)),
  work(prune, async ({ db }, _, signal) => {
    const untilDone = async (remove: () => Promise<number>) => {
      while (!signal.aborted && (await remove()) === BATCH);
    };
    await untilDone(() => pruneUnmatched(db, BATCH));
    await untilDone(() =>
      db.run(sql`
        delete from submissions where (connection_id, external_id) in (
          select connection_id, external_id from submissions
          where create_date < now() - ${SUBMISSIONS_KEPT}::interval limit ${BATCH})`),
    );
    await db.run(sql`delete from inbound_seen where create_date < now() - interval '1 hour'`);
  }),
];

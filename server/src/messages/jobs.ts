/** Background jobs of the messages module. Carrier ids are kept for longer than any receipt can take to arrive. */
import { phoneNotice } from '../auth/auth.ts';
import { alertText } from '../billing/billing.ts';
import { cancelBlockedMessages } from '../guard/guard.ts';
import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { phoneCode } from '../verify/verify.ts';
import { cancelBlocked } from './gate/cancel_blocked.ts';
import { sendAlertText, sendPhoneCode, sendPhoneNotice } from './gate/phone_codes.ts';
import { fetchFile, fileJob } from './inbound/files.ts';
import { keywordReply, pruneKeywordReplies, replyToKeyword } from './inbound/keyword_replies.ts';
import { prunePayloads } from './payloads/recordings.ts';
import { expireUnreported } from './status/expiry.ts';
import { pruneUnanswered } from './status/unanswered.ts';
import { pruneUnmatched } from './status/unmatched.ts';
import { endTestMessages, pruneTestMessages, testOutcome } from './testing/test_messages.ts';
import { markRead, readJob } from './thread/mark_read.ts';
import { reactionJob, sendReaction } from './thread/reactions.ts';
import { pruneRefusedCalls } from './thread/refused_calls.ts';
import { addTexts, addTextsJob, sealJob, sealTexts } from './thread/search_texts.ts';

const BATCH = 5_000;
const KEEP_SUBMISSIONS = '30 days';

const expire = job('messages.expire_unreported', { cron: '7 */6 * * *', retry: 0, expire_seconds: 3_600 });
const prune = job('messages.prune', { cron: '37 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(keywordReply, replyToKeyword),
  work(fileJob, fetchFile),
  work(cancelBlockedMessages, cancelBlocked),
  work(readJob, markRead),
  work(reactionJob, sendReaction),
  work(sealJob, sealTexts),
  work(addTextsJob, (kernel, _, signal) => addTexts(kernel, signal)),
  work(phoneCode, sendPhoneCode),
  work(phoneNotice, sendPhoneNotice),
  work(alertText, sendAlertText),
  work(testOutcome, endTestMessages),
  work(expire, ({ db }, _, signal) => expireUnreported(db, signal)),
  work(prune, async ({ db, config }, _, signal) => {
    const repeatUntilDone = async (remove: () => Promise<number>) => {
      while (!signal.aborted && (await remove()) === BATCH);
    };
    await repeatUntilDone(() => pruneUnmatched(db, BATCH));
    await repeatUntilDone(() => pruneUnanswered(db, BATCH));
    await repeatUntilDone(() => pruneRefusedCalls(db, BATCH));
    await repeatUntilDone(() => pruneKeywordReplies(db, BATCH));
    await repeatUntilDone(() => prunePayloads(db, config.CARRIER_PAYLOAD_DAYS, BATCH));
    await repeatUntilDone(() =>
      db.run(sql`
        delete from submissions where (connection_id, external_id) in (
          select connection_id, external_id from submissions
          where create_date < now() - ${KEEP_SUBMISSIONS}::interval limit ${BATCH})`),
    );
    await pruneTestMessages(db, signal);
    await db.run(sql`delete from inbound_digests where create_date < now() - interval '1 hour'`);
  }),
];

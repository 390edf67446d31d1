/** Background jobs for signing up and signing in, including the deletion of expired data. */
import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { codeMail, sendCodeMail } from './people/code_mails.ts';
import { SESSIONS_KEPT_DAYS } from './sessions/sessions.ts';
import { failedSignIn, reportFailure } from './sign_in/failed_sign_ins.ts';
import { pruneUnconfirmed } from './sign_up/unconfirmed.ts';

const prune = job('auth.prune', { cron: '23 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(codeMail, sendCodeMail),
  work(failedSignIn, reportFailure),
  work(prune, pruneOld),
];

async function pruneOld(kernel: Kernel): Promise<void> {
  const { db, clock } = kernel;
  const now = clock.now();
  await pruneUnconfirmed(kernel);
  await db.run(sql`delete from social_tickets where expire_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`delete from passkey_challenges where expire_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`delete from sign_in_attempts where last_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`
    delete from sessions
    where coalesce(revoke_date, expire_date) < ${now}::timestamptz - make_interval(days => ${SESSIONS_KEPT_DAYS})`);
}

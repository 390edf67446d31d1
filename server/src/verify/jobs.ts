/** Jobs that send a code to a phone and delete old verifications. */
import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** `sealed` contains the code, which is sealed because more people can read a queue than a mailbox. */
export interface PhoneCode {
  verification_id: string;
  sealed: string;
}
/** Implemented by `messages`, the only module that sends text messages. */
export const phoneCode = job<PhoneCode>('auth.send_phone_code', {
  retry: 3,
  retry_seconds: 1,
  expire_seconds: 120,
  concurrency: 2,
});

const prune = job('verify.prune', { cron: '23 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [work(prune, pruneOld)];

async function pruneOld({ db, clock }: Kernel): Promise<void> {
  const now = clock.now();
  await db.run(sql`delete from verifications where create_date < ${now}::timestamptz - interval '30 days'`);
  // A surge in phone codes is measured against the previous week, so records of sent phone codes are kept for that
  // long.
  await db.run(sql`
    delete from code_sends
    where create_date < ${now}::timestamptz
      - case channel when 'sms' then interval '8 days' else interval '2 days' end`);
  await db.run(sql`delete from code_stops where lift_date < ${now}::timestamptz - interval '90 days'`);
}

/** What signing up and in leaves for later: mails whose writing would tell whether an address is known, and what grows and is cut back. */

import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { openCode } from './codes.ts';
import * as mails from './mails.ts';
import { personByEmail } from './people.ts';
import { SESSIONS_KEPT_DAYS } from './sessions.ts';
import { pruneUnconfirmed } from './unconfirmed.ts';
import { actingAs, type Visitor } from './visitor.ts';

/** `sealed`: the code, and after a space the secret of the link if there is one. Queues are read by more people than mailboxes. */
export interface CodeLetter {
  kind: 'sign_up' | 'password_reset' | 'already_there' | 'email_change';
  verification_id: string;
  sealed: string;
}
export const codeLetter = job<CodeLetter>('auth.send_code', { retry: 5, retry_seconds: 2, concurrency: 2 });

/** To a phone; the module `messages` does the work, since only it may send. */
export interface PhoneCode {
  verification_id: string;
  sealed: string;
}
export const phoneCode = job<PhoneCode>('auth.send_phone_code', {
  retry: 3,
  retry_seconds: 1,
  expire_seconds: 120,
  concurrency: 2,
});

/** To the number a person had before. */
export interface PhoneNotice {
  id: string;
  number: string;
}
export const phoneNotice = job<PhoneNotice>('auth.send_phone_notice', {
  retry: 3,
  retry_seconds: 1,
  expire_seconds: 120,
});

export interface FailedSignIn {
  email: string;
  /** Failures enough for a pause. */
  paused: boolean;
  /** The password was right; the user or the account is blocked. */
  blocked?: boolean;
  visitor: Visitor;
  at: string;
}
export const failedSignIn = job<FailedSignIn>('auth.sign_in_failed', { retry: 3, concurrency: 2 });

const prune = job('auth.prune', { cron: '23 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(codeLetter, sendCode),
  work(failedSignIn, tellFailure),
  work(prune, pruneOld),
];

/** A second run finds the mail written. For addresses nobody has there is nothing to send. */
async function sendCode(kernel: Kernel, { kind, verification_id, sealed }: CodeLetter): Promise<void> {
  const [code = '', secret = ''] = openCode(kernel, verification_id, sealed).split(' ');
  await kernel.db.tx(async (tx) => {
    const open = await tx.maybeOne<{ target: string; silent: boolean }>(sql`
      select target, login_id is null or detail ? 'taken' as silent from verifications
      where id = ${verification_id} and use_date is null and expire_date > ${tx.now}`);
    if (!open || open.silent) return;
    const mail = { to: open.target, verification_id, code };
    if (kind === 'sign_up') await mails.confirmAddress(tx, kernel, mail);
    else if (kind === 'password_reset') await mails.resetPassword(tx, kernel, { ...mail, secret });
    else if (kind === 'already_there') await mails.alreadyThere(tx, kernel, { ...mail, secret });
    else await mails.confirmNewAddress(tx, mail);
  });
}

async function tellFailure(kernel: Kernel, { email, paused, blocked, visitor, at }: FailedSignIn): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const person = await personByEmail(tx, email);
    if (!person?.account_id) return;
    record(tx, actingAs(visitor, { account_id: person.account_id, user_id: null }), {
      action: 'session.sign_in_failed',
      target: { type: 'user', id: person.user_id!, name: person.email },
      detail: { at, ...(blocked ? { blocked } : {}) },
    });
    if (!paused) return;
    const seen = { address: visitor.address, at };
    await mails.manyFailures(tx, kernel, person.email, seen, `failures ${person.login_id} ${at.slice(0, 10)}`);
  });
}

async function pruneOld(kernel: Kernel): Promise<void> {
  const { db, clock } = kernel;
  const now = clock.now();
  await pruneUnconfirmed(kernel);
  await db.run(sql`delete from verifications where create_date < ${now}::timestamptz - interval '30 days'`);
  // What went to phones is compared with the week before.
  await db.run(sql`
    delete from code_sends
    where create_date < ${now}::timestamptz - case channel when 'sms' then interval '8 days' else interval '2 days' end`);
  await db.run(sql`delete from code_stops where lift_date < ${now}::timestamptz - interval '90 days'`);
  await db.run(sql`delete from social_tickets where expire_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`delete from passkey_challenges where expire_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`delete from sign_in_attempts where last_date < ${now}::timestamptz - interval '1 day'`);
  await db.run(sql`
    delete from sessions
    where coalesce(revoke_date, expire_date) < ${now}::timestamptz - make_interval(days => ${SESSIONS_KEPT_DAYS})`);
}

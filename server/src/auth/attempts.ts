/**
 * Failed sign-ins slow down whoever makes them: by the address tried together with the network it is tried from, whether there is such a person or
 * not; by network; and, after many more, by address alone. A pause passes by itself and leaves out the networks a person signs in from, so nobody
 * can lock another out.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Queryable } from '../kernel/db/db.ts';
import { sql } from '../kernel/db/db.ts';
import { metrics } from '../kernel/metrics.ts';
import { networkOf } from './visitor.ts';

/** Failures before the first pause; each one more doubles it. */
export const FREE = { pair: 5, network: 30, email: 50 } as const;
const LONGEST_SECONDS = 900;
const FORGET_MINUTES = 60;

const refusals = metrics.counter('login_failures_total', 'Sign-ins refused', ['reason']);
/** `credentials`: wrong, or nobody's; `paused`: too many of those before; `blocked`: right, but the user or the account is blocked. */
export const refused = (reason: 'credentials' | 'paused' | 'blocked'): void => refusals.inc({ reason });

function subjectsOf(email: string, address: string) {
  const [mailbox, network] = [email.slice(0, 320), networkOf(address)];
  return { pair: `pair ${mailbox} ${network}`, network: `network ${network}`, email: `email ${mailbox}` };
}

export async function demandFree(db: Db, email: string, address: string): Promise<void> {
  const subjects = subjectsOf(email, address);
  const pauses = await db.rows<{ subject: string; seconds: number }>(sql`
    select subject, ceil(extract(epoch from blocked_until - ${db.clock.now()}::timestamptz))::int as seconds
    from sign_in_attempts
    where subject = any(${Object.values(subjects)}::text[]) and blocked_until > ${db.clock.now()}`);
  const hit = pauses.filter((pause) => pause.subject !== subjects.email);
  // Many strangers at one address: whoever comes from where this person is at home does not wait with them.
  if (hit.length < pauses.length && !(await isHome(db, email, address))) hit.push(...pauses);
  if (hit.length === 0) return;
  refused('paused');
  throw new Problem('SIGN_IN_ATTEMPTS_EXCEEDED', { retry_after: Math.max(1, ...hit.map(({ seconds }) => seconds)) });
}

async function isHome(db: Db, email: string, address: string): Promise<boolean> {
  const rows = await db.rows<{ address: string }>(sql`
    select distinct s.address from sessions s join logins l on l.id = s.login_id
    where lower(l.email) = ${email} and s.real_user_id is null
      and s.create_date > ${db.clock.now()}::timestamptz - interval '90 days' limit 500`);
  return rows.some((row) => networkOf(row.address) === networkOf(address));
}

/** True: with this one a pause begins. */
export async function failed(db: Db, email: string, address: string): Promise<boolean> {
  refused('credentials');
  const now = db.clock.now();
  const subjects = subjectsOf(email, address);
  const names = ['email', 'network', 'pair'] as const;
  // In one order, so that two never wait for each other. Old failures are forgotten.
  const rows = await db.rows<{ subject: string; failures: number }>(sql`
    insert into sign_in_attempts as a (subject, failures, last_date)
    select subject, 1, ${now} from unnest(${names.map((name) => subjects[name])}::text[]) as subject order by subject
    on conflict (subject) do update set
      failures = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then 1 else a.failures + 1 end,
      last_date = ${now}
    returning subject, failures`);
  const over = names.flatMap((name) => {
    const beyond = (rows.find((row) => row.subject === subjects[name])?.failures ?? 0) - FREE[name];
    return beyond < 0
      ? []
      : [{ subject: subjects[name], seconds: Math.min(LONGEST_SECONDS, 2 ** Math.min(20, beyond)) }];
  });
  if (over.length > 0)
    await db.run(sql`
      update sign_in_attempts a
      set blocked_until = greatest(a.blocked_until, ${now}::timestamptz + make_interval(secs => o.seconds))
      from unnest(${over.map((one) => one.subject)}::text[], ${over.map((one) => one.seconds)}::float8[]) as o(subject, seconds)
      where a.subject = o.subject`);
  return over.length > 0;
}

/** Sign-ups of one network in an hour that may be refused for what somebody else has, so that nobody tries lists of names, numbers or addresses. */
const REFUSED_SIGN_UPS = 50;
/** Numbers of somebody else that one person may name in an hour. */
const TAKEN_PHONES = 20;

/** Whoever was told nothing gives it back. Problem CODE_LIMIT_REACHED. */
export const countSignUp = (db: Db, address: string): Promise<() => Promise<unknown>> =>
  countTold(db, `sign_up ${networkOf(address)}`, REFUSED_SIGN_UPS, () => {
    const message = 'Too many sign-ups from your network were refused. Try again later';
    return new Problem('CODE_LIMIT_REACHED', { message, retry_after: FORGET_MINUTES * 60 });
  });

/** Whoever was not told that a number is somebody's gives it back. Problem PHONE_VERIFICATION_FAILED. */
export const countTakenPhone = (db: Db, login_id: string): Promise<() => Promise<unknown>> =>
  countTold(
    db,
    `phone ${login_id}`,
    TAKEN_PHONES,
    () => new Problem('PHONE_VERIFICATION_FAILED', { retry_after: FORGET_MINUTES * 60 }),
  );

/** Counted before anything is looked up, so that calls at the same moment cannot pass together. */
async function countTold(
  db: Db,
  subject: string,
  most: number,
  refusal: () => Problem,
): Promise<() => Promise<unknown>> {
  const now = db.clock.now();
  const { failures } = await db.one<{ failures: number }>(sql`
    insert into sign_in_attempts as a (subject, failures, last_date) values (${subject}, 1, ${now})
    on conflict (subject) do update set
      failures = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then 1 else a.failures + 1 end,
      last_date = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then ${now} else a.last_date end
    returning failures`);
  const giveBack = () =>
    db.run(sql`update sign_in_attempts set failures = failures - 1 where subject = ${subject} and failures > 0`);
  if (failures <= most) return giveBack;
  await giveBack();
  throw refusal();
}

/** What this address failed at from here no longer counts. What others tried elsewhere does. */
export async function succeeded(tx: Queryable, email: string, address: string): Promise<void> {
  await tx.run(sql`delete from sign_in_attempts where subject = ${subjectsOf(email, address).pair}`);
}

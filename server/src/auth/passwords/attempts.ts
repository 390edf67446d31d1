/**
 * Failed sign-ins delay later attempts: for an email address on one network, for a whole network, and, after many
 * more failures, for an email address on any network. It makes no difference whether the address has a user. A pause
 * ends automatically. A pause for an address does not apply to networks the person signs in from, so an attacker cannot
 * lock out a user.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Queryable } from '../../kernel/db/db.ts';
import { sql } from '../../kernel/db/db.ts';
import { addressNetwork } from '../../kernel/http/network.ts';
import { metrics } from '../../kernel/metrics.ts';

/** Failures before the first pause. Each later failure doubles the pause. */
export const FREE_FAILURES = { pair: 5, network: 30, email: 50 } as const;
const LONGEST_SECONDS = 900;
const FORGET_MINUTES = 60;

const refusals = metrics.counter('login_failures_total', 'Sign-ins refused', ['reason']);
/**
 * `credentials`: the password is wrong, or there is no such user. `paused`: there were too many failures. `blocked`:
 * the password is correct, but the user or the account is blocked.
 */
export const countRefusal = (reason: 'credentials' | 'paused' | 'blocked'): void => refusals.inc({ reason });

function attemptSubjects(email: string, address: string) {
  const [mailbox, network] = [email.slice(0, 320), addressNetwork(address)];
  return { pair: `pair ${mailbox} ${network}`, network: `network ${network}`, email: `email ${mailbox}` };
}

/** Throws SIGN_IN_ATTEMPTS_EXCEEDED during a pause. */
export async function rejectPaused(db: Db, email: string, address: string): Promise<void> {
  const subjects = attemptSubjects(email, address);
  const all = await db.rows<{ subject: string; seconds: number }>(sql`
    select subject, ceil(extract(epoch from blocked_until - ${db.clock.now()}::timestamptz))::int as seconds
    from sign_in_attempts
    where subject = any(${Object.values(subjects)}::text[]) and blocked_until > ${db.clock.now()}`);
  const pauses = all.filter((pause) => pause.subject !== subjects.email);
  // Failures from many networks pause sign-in for the address, except from the networks its user signs in from.
  if (pauses.length < all.length && !(await isKnownNetwork(db, email, address))) pauses.push(...all);
  if (pauses.length === 0) return;
  countRefusal('paused');
  throw new Problem('SIGN_IN_ATTEMPTS_EXCEEDED', { retry_after: Math.max(1, ...pauses.map(({ seconds }) => seconds)) });
}

async function isKnownNetwork(db: Db, email: string, address: string): Promise<boolean> {
  const rows = await db.rows<{ address: string }>(sql`
    select distinct s.address from sessions s join logins l on l.id = s.login_id
    where lower(l.email) = ${email} and s.real_user_id is null
      and s.create_date > ${db.clock.now()}::timestamptz - interval '90 days' limit 500`);
  return rows.some((row) => addressNetwork(row.address) === addressNetwork(address));
}

/** Returns true if this failure starts a pause. */
export async function recordFailure(db: Db, email: string, address: string): Promise<boolean> {
  countRefusal('credentials');
  const now = db.clock.now();
  const subjects = attemptSubjects(email, address);
  const names = ['email', 'network', 'pair'] as const;
  // The rows are sorted, so that two transactions cannot deadlock. Old failures are no longer counted.
  const rows = await db.rows<{ subject: string; failures: number }>(sql`
    insert into sign_in_attempts as a (subject, failures, last_date)
    select subject, 1, ${now} from unnest(${names.map((name) => subjects[name])}::text[]) as subject order by subject
    on conflict (subject) do update set
      failures = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then 1
        else a.failures + 1 end,
      last_date = ${now}
    returning subject, failures`);
  const pauses = names.flatMap((name) => {
    const failures = rows.find((row) => row.subject === subjects[name])?.failures ?? 0;
    const excess = failures - FREE_FAILURES[name];
    return excess < 0
      ? []
      : [{ subject: subjects[name], seconds: Math.min(LONGEST_SECONDS, 2 ** Math.min(20, excess)) }];
  });
  if (pauses.length > 0)
    await db.run(sql`
      update sign_in_attempts a
      set blocked_until = greatest(a.blocked_until, ${now}::timestamptz + make_interval(secs => p.seconds))
      from unnest(${pauses.map(({ subject }) => subject)}::text[], ${pauses.map(({ seconds }) => seconds)}::float8[])
        as p(subject, seconds)
      where a.subject = p.subject`);
  return pauses.length > 0;
}

/** The number of sign-ups per hour from one network that may reveal that a name, number, or address is taken. */
const REVEALING_SIGN_UPS = 50;
/** The number of other people's phone numbers that one person may enter per hour. */
const TAKEN_PHONES = 20;

/** The caller releases the reservation if the response revealed nothing. Throws CODE_LIMIT_REACHED. */
export const reserveSignUp = (db: Db, address: string): Promise<() => Promise<unknown>> =>
  reserve(db, `sign_up ${addressNetwork(address)}`, REVEALING_SIGN_UPS, () => {
    const message = 'Too many failed sign-ups from your network. Try again later.';
    return new Problem('CODE_LIMIT_REACHED', { message, retry_after: FORGET_MINUTES * 60 });
  });

/**
 * The caller releases the reservation if the response did not reveal that the number is taken. Throws
 * PHONE_VERIFICATION_FAILED.
 */
export const reservePhoneCheck = (db: Db, login_id: string): Promise<() => Promise<unknown>> =>
  reserve(
    db,
    `phone ${login_id}`,
    TAKEN_PHONES,
    () => new Problem('PHONE_VERIFICATION_FAILED', { retry_after: FORGET_MINUTES * 60 }),
  );

/**
 * Counts the request before any lookup, so that concurrent requests cannot all pass the limit. Returns a function that
 * releases the reservation.
 */
async function reserve(
  db: Db,
  subject: string,
  limit: number,
  refusal: () => Problem,
): Promise<() => Promise<unknown>> {
  const now = db.clock.now();
  const expired = sql`a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES})`;
  const { failures } = await db.one<{ failures: number }>(sql`
    insert into sign_in_attempts as a (subject, failures, last_date) values (${subject}, 1, ${now})
    on conflict (subject) do update set
      failures = case when ${expired} then 1 else a.failures + 1 end,
      last_date = case when ${expired} then ${now} else a.last_date end
    returning failures`);
  const release = () =>
    db.run(sql`update sign_in_attempts set failures = failures - 1 where subject = ${subject} and failures > 0`);
  if (failures <= limit) return release;
  await release();
  throw refusal();
}

/** Clears the failures for this address from this network. Failures from other networks still count. */
export async function clearFailures(tx: Queryable, email: string, address: string): Promise<void> {
  await tx.run(sql`delete from sign_in_attempts where subject = ${attemptSubjects(email, address).pair}`);
}

/**
 * Each wrong second factor delays the person's next attempts, so that someone who knows the password cannot guess
 * codes.
 */
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { countRefusal } from '../passwords/attempts.ts';

const FREE_FAILURES = 5;
const LONGEST_SECONDS = 900;
const FORGET_MINUTES = 60;

const attemptSubject = (login_id: string) => `factor ${login_id}`;

/** Throws SIGN_IN_ATTEMPTS_EXCEEDED during a pause. */
export async function rejectPausedFactor(db: Queryable, login_id: string, now: Date): Promise<void> {
  const pause = await db.maybeOne<{ seconds: number }>(sql`
    select ceil(extract(epoch from blocked_until - ${now}::timestamptz))::int as seconds
    from sign_in_attempts where subject = ${attemptSubject(login_id)} and blocked_until > ${now}`);
  if (!pause) return;
  countRefusal('paused');
  throw new Problem('SIGN_IN_ATTEMPTS_EXCEEDED', { retry_after: Math.max(1, pause.seconds) });
}

/** The caller must commit, even if it refuses the request. */
export async function recordFactorFailure(tx: Queryable, login_id: string, now: Date): Promise<void> {
  countRefusal('credentials');
  const forgotten = sql`${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES})`;
  const excess = sql`a.failures + 1 - ${FREE_FAILURES}::int`;
  await tx.run(sql`
    insert into sign_in_attempts as a (subject, failures, last_date) values (${attemptSubject(login_id)}, 1, ${now})
    on conflict (subject) do update set
      failures = case when a.last_date < ${forgotten} then 1 else a.failures + 1 end,
      blocked_until = case when ${excess} >= 0 and a.last_date >= ${forgotten}
        then ${now}::timestamptz
          + make_interval(secs => least(${LONGEST_SECONDS}::float8, power(2, least(20, ${excess})))) end,
      last_date = ${now}`);
}

export const clearFactorFailures = (tx: Queryable, login_id: string) =>
  tx.run(sql`delete from sign_in_attempts where subject = ${attemptSubject(login_id)}`);

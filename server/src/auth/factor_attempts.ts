/** Wrong codes slow down the person they were given for: whoever has the password must not have all the tries that three codes in a million need. */
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import { refused } from './attempts.ts';

const FREE = 5;
const LONGEST_SECONDS = 900;
const FORGET_MINUTES = 60;

const subjectOf = (login_id: string) => `factor ${login_id}`;

export async function demandFactorFree(db: Queryable, login_id: string, now: Date): Promise<void> {
  const paused = await db.maybeOne<{ seconds: number }>(sql`
    select ceil(extract(epoch from blocked_until - ${now}::timestamptz))::int as seconds
    from sign_in_attempts where subject = ${subjectOf(login_id)} and blocked_until > ${now}`);
  if (!paused) return;
  refused('paused');
  throw new Problem('SIGN_IN_ATTEMPTS_EXCEEDED', { retry_after: Math.max(1, paused.seconds) });
}

/** The caller commits, also when the answer is a refusal. */
export async function factorFailed(tx: Queryable, login_id: string, now: Date): Promise<void> {
  refused('credentials');
  await tx.run(sql`
    insert into sign_in_attempts as a (subject, failures, last_date) values (${subjectOf(login_id)}, 1, ${now})
    on conflict (subject) do update set
      failures = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then 1 else a.failures + 1 end,
      blocked_until = case when a.failures + 1 >= ${FREE}::int and a.last_date >= ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES})
        then ${now}::timestamptz + make_interval(secs => least(${LONGEST_SECONDS}::float8, power(2, least(20, a.failures + 1 - ${FREE}::int)))) end,
      last_date = ${now}`);
}

export const factorSucceeded = (tx: Queryable, login_id: string) =>
  tx.run(sql`delete from sign_in_attempts where subject = ${subjectOf(login_id)}`);

/**
 * Failed sign-ins slow down whoever makes them: by address of the mailbox tried, whether it exists or not, and by network. A block
 * passes by itself, so nobody can lock another out for good.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Queryable } from '../kernel/db.ts';
import { sql } from '../kernel/db.ts';
import { metrics } from '../kernel/metrics.ts';

const FREE_PER_EMAIL = 5;
const FREE_PER_NETWORK = 30;
const LONGEST_SECONDS = 900;
const FORGET_MINUTES = 60;

const refusals = metrics.counter('login_failures_total', 'Sign-ins refused', ['reason']);
/** `credentials`: wrong, or nobody's; `paused`: too many of those before; `blocked`: right, but the user or the account is blocked. */
export const refused = (reason: 'credentials' | 'paused' | 'blocked'): void => refusals.inc({ reason });

/** /24 of IPv4, /64 of IPv6: what one person easily gets many addresses in. */
export function networkOf(address: string): string {
  const v4 = /(\d+)\.(\d+)\.(\d+)\.\d+$/.exec(address);
  if (v4) return `${v4[1]}.${v4[2]}.${v4[3]}.0/24`;
  return `${address.split(':').slice(0, 4).join(':')}::/64`;
}

const subjects = (email: string, address: string) => [`email ${email.slice(0, 320)}`, `network ${networkOf(address)}`];

export async function demandFree(db: Db, email: string, address: string): Promise<void> {
  const blocked = await db.maybeOne<{ seconds: number }>(sql`
    select ceil(extract(epoch from max(blocked_until) - ${db.clock.now()}::timestamptz))::int as seconds
    from sign_in_attempts
    where subject = any(${subjects(email, address)}) and blocked_until > ${db.clock.now()}
    having count(*) > 0`);
  if (!blocked) return;
  refused('paused');
  throw new Problem(1121, { retry_after: Math.max(1, blocked.seconds) });
}

export async function failed(db: Db, email: string, address: string): Promise<void> {
  refused('credentials');
  const now = db.clock.now();
  const [byEmail, byNetwork] = subjects(email, address);
  // The pause doubles with each failure beyond the free ones; old failures are forgotten.
  await db.run(sql`
    insert into sign_in_attempts as a (subject, failures, last_date)
    select subject, 1, ${now} from unnest(${[byEmail, byNetwork]}::text[]) as subject order by subject
    on conflict (subject) do update set
      failures = case when a.last_date < ${now}::timestamptz - make_interval(mins => ${FORGET_MINUTES}) then 1 else a.failures + 1 end,
      last_date = ${now}`);
  await db.run(sql`
    update sign_in_attempts
    set blocked_until = ${now}::timestamptz
      + make_interval(secs => least(${LONGEST_SECONDS}::float8, power(2, least(20, failures - case when subject like 'email %' then ${FREE_PER_EMAIL}::int else ${FREE_PER_NETWORK}::int end))))
    where subject = any(${[byEmail, byNetwork]}::text[])
      and failures >= case when subject like 'email %' then ${FREE_PER_EMAIL}::int else ${FREE_PER_NETWORK}::int end`);
}

export async function succeeded(tx: Queryable, email: string): Promise<void> {
  await tx.run(sql`delete from sign_in_attempts where subject = ${`email ${email.slice(0, 320)}`}`);
}

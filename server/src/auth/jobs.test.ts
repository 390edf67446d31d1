import { afterAll, beforeAll, expect, it } from 'vitest';
import { heldClock, newId, secret } from '../kernel/clock.ts';
import { raw, sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeSender } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { jobs as verifyJobs } from '../verify/jobs.ts';
import { jobs } from './jobs.ts';
import { hashToken } from './people/tokens.ts';
import { SESSIONS_KEPT_DAYS } from './sessions/sessions.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;

beforeAll(async () => {
  world = await createWorld({ role: 'none', clock });
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

const DAY = 86_400_000;
const prune = async () => {
  for (const { type, run } of [...verifyJobs, ...jobs])
    if (type.name.endsWith('.prune')) await run(world.kernel, {}, new AbortController().signal);
};
const counts = () =>
  world.kernel.db.one(sql`
    select (select count(*) from verifications) as verifications, (select count(*) from code_sends) as code_sends,
           (select count(*) from social_tickets) as social_tickets,
           (select count(*) from passkey_challenges) as passkey_challenges,
           (select count(*) from sign_in_attempts) as sign_in_attempts, (select count(*) from sessions) as sessions`);

it('expired rows are deleted after the retention period of their table', async () => {
  const { db } = world.kernel;
  const date = clock.now();
  await db.run(sql`
    insert into verifications (id, purpose, target, network, code_hash, create_date, expire_date)
    values (${newId()}, 'sign_up', 'a@b.localhost', 'n', '', ${date}, ${date})`);
  await db.run(sql`
    insert into code_sends (id, channel, target, network, create_date)
    values (${newId()}, 'mail', 'a@b.localhost', 'n', ${date})`);
  await db.run(sql`
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, expire_date)
    values (${hashToken(secret())}, 'p', 'i', 's', 'a@b.localhost', true, ${date})`);
  await db.run(sql`insert into passkey_challenges (id, challenge, expire_date) values (${newId()}, 'c', ${date})`);
  await db.run(sql`insert into sign_in_attempts (subject, failures, last_date) values ('pair x', 1, ${date})`);
  const all = { verifications: 1, code_sends: 1, social_tickets: 1, passkey_challenges: 1, sign_in_attempts: 1 };
  await prune();
  expect(await counts()).toEqual({ ...all, sessions: 1 });
  clock.advance(DAY + 1_000);
  await prune();
  const expected = { ...all, social_tickets: 0, passkey_challenges: 0, sign_in_attempts: 0 };
  expect(await counts()).toEqual({ ...expected, sessions: 1 });
  clock.advance(DAY);
  await prune();
  expect(await counts()).toEqual({ ...expected, code_sends: 0, sessions: 1 });
  clock.advance(29 * DAY);
  await prune();
  expect(await counts()).toEqual({ ...expected, code_sends: 0, verifications: 0, sessions: 1 });
  // An ended session is kept for as long as its device is remembered.
  clock.advance(SESSIONS_KEPT_DAYS * DAY);
  await prune();
  expect(await counts()).toMatchObject({ sessions: 0 });
  expect((await db.rows(sql`select 1 from users where id = ${company.user_id}`)).length).toBe(1);
});

it('an unconfirmed sign-up is deleted with its company after a week, unless it is in use or blocked', async () => {
  const { db } = world.kernel;
  const operators = await makeCompany(world.kernel, { operator: true });
  const make = async (change: (account_id: string) => Promise<unknown> = async () => {}) => {
    const company = await makeCompany(world.kernel, { status: 'UNVERIFIED', balance_micros: 0 });
    const email = `${company.user_id}@test.localhost`;
    await db.run(sql`update logins set status = 'NEW', create_date = ${clock.now()} where id = ${company.user_id}`);
    await db.run(sql`
      insert into sign_up_passwords (email, password_hash, create_date) values (${email}, 'x', ${clock.now()})`);
    await change(company.account_id);
    return company;
  };
  const unused = await make();
  const confirmed = await make((id) =>
    db.run(sql`
    update logins set status = 'EMAIL_VERIFIED' where id in (select login_id from users where account_id = ${id})`),
  );
  const blocked = await make((id) =>
    db.run(sql`update accounts set status = 'BLOCKED', blocked_by = 'operator' where id = ${id}`),
  );
  const credited = await make((id) =>
    db.run(sql`update balances set credit_limit_micros = 1 where account_id = ${id}`),
  );
  const active = await make((id) => makeSender(world.kernel, id));
  const remaining = async () =>
    (
      await db.rows<{ id: string }>(sql`
        select a.id from accounts a join users u on u.account_id = a.id join logins l on l.id = u.login_id
        join balances b on b.account_id = a.id
        where a.id = any(${[unused, confirmed, blocked, credited, active].map((company) => company.account_id)}::uuid[])
        order by a.id`)
    ).map(({ id }) => id);
  clock.advance(7 * DAY - 1_000);
  await prune();
  expect((await remaining()).length).toBe(5);
  clock.advance(2_000);
  await prune();
  expect(await remaining()).toEqual([confirmed, blocked, credited, active].map((company) => company.account_id).sort());
  for (const table of ['accounts', 'balances', 'users', 'logins', 'sign_up_passwords'] as const) {
    const text = (await db.rows<{ text: string }>(sql`select to_jsonb(t)::text as text from ${raw(table)} t`)).map(
      (row) => row.text,
    );
    expect(text.some((row) => row.includes(unused.account_id) || row.includes(unused.user_id))).toBe(false);
  }
  expect(await db.rows(sql`select action from audit_log where account_id = ${unused.account_id}`)).toEqual([
    { action: 'account.pruned' },
  ]);
  expect(
    await db.rows(
      sql`select payload from events where account_id = ${operators.account_id} and type = 'customer.changed'`,
    ),
  ).toEqual([{ payload: { id: unused.account_id } }]);
});

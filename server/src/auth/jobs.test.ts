import { afterAll, beforeAll, expect, it } from 'vitest';
import { heldClock, newId, secret } from '../kernel/clock.ts';
import { sql } from '../kernel/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { jobs } from './jobs.ts';
import { SESSIONS_KEPT_DAYS } from './sessions.ts';
import { hashToken } from './tokens.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;

beforeAll(async () => {
  world = await createWorld({ role: 'none', clock });
  company = await makeCompany(world.kernel);
}, 60_000);
afterAll(() => world.stop());

const DAY = 86_400_000;
const prune = () =>
  jobs.find(({ type }) => type.name === 'auth.prune')!.run(world.kernel, {}, new AbortController().signal);
const counts = () =>
  world.kernel.db.one(sql`
    select (select count(*) from verifications) as verifications, (select count(*) from code_sends) as code_sends,
           (select count(*) from social_tickets) as social_tickets, (select count(*) from passkey_challenges) as passkey_challenges,
           (select count(*) from sign_in_attempts) as sign_in_attempts, (select count(*) from sessions) as sessions`);

it('what only grows is cut back, each after its own time', async () => {
  const { db } = world.kernel;
  const now = clock.now();
  await db.run(sql`
    insert into verifications (id, purpose, target, network, code_hash, create_date, expire_date)
    values (${newId()}, 'sign_up', 'a@b.localhost', 'n', '', ${now}, ${now})`);
  await db.run(sql`
    insert into code_sends (id, channel, target, network, create_date) values (${newId()}, 'mail', 'a@b.localhost', 'n', ${now})`);
  await db.run(sql`
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, expire_date)
    values (${hashToken(secret())}, 'p', 'i', 's', 'a@b.localhost', true, ${now})`);
  await db.run(sql`insert into passkey_challenges (id, challenge, expire_date) values (${newId()}, 'c', ${now})`);
  await db.run(sql`insert into sign_in_attempts (subject, failures, last_date) values ('pair x', 1, ${now})`);
  const all = { verifications: 1, code_sends: 1, social_tickets: 1, passkey_challenges: 1, sign_in_attempts: 1 };
  await prune();
  expect(await counts()).toEqual({ ...all, sessions: 1 });
  clock.advance(DAY + 1_000);
  await prune();
  const later = { ...all, social_tickets: 0, passkey_challenges: 0, sign_in_attempts: 0 };
  expect(await counts()).toEqual({ ...later, sessions: 1 });
  clock.advance(DAY);
  await prune();
  expect(await counts()).toEqual({ ...later, code_sends: 0, sessions: 1 });
  clock.advance(29 * DAY);
  await prune();
  expect(await counts()).toEqual({ ...later, code_sends: 0, verifications: 0, sessions: 1 });
  // Its own end, and then as long as a device is remembered.
  clock.advance(SESSIONS_KEPT_DAYS * DAY);
  await prune();
  expect(await counts()).toMatchObject({ sessions: 0 });
  expect((await db.rows(sql`select 1 from users where id = ${company.user_id}`)).length).toBe(1);
});

import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { mailsTo, mailTo } from '../../test/mailbox.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { createWorld, type Reply, until, type World } from '../../test/world.ts';
import { renewRecoveryCodes } from '../factors/recovery_codes.ts';
import { newTotpSecret, stepAt, totpCode } from '../factors/totp.ts';
import * as attempts from '../passwords/attempts.ts';
import { hashesDone, hashPassword, isOutdated } from '../passwords/passwords.ts';

// In the morning, so that no test crosses midnight.
const clock = heldClock(new Date(new Date().setUTCHours(8, 0, 0, 0)));
let world: World;
let company: Company;
let email: string;
let password_hash: string;

const PASSWORD = 'Tangled-teapot-7';
const MINUTE = 60_000;

beforeAll(async () => {
  world = await createWorld({ clock, settings: { TRUST_PROXY: '127.0.0.1' } });
  password_hash = await hashPassword(PASSWORD);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  email = `owner-${company.user_id}@signin.localhost`;
  await world.kernel.db.run(sql`
    with l as (update logins set email = ${email}, password_hash = ${password_hash} where id = ${company.user_id})
    update users set email = ${email} where id = ${company.user_id}`);
  await world.kernel.db.run(sql`delete from sign_in_attempts`);
});

const HOME = '192.0.2.10';
const ELSEWHERE = '198.51.100.7';
const codes = (reply: Reply): unknown[] => [reply.status, reply.body?.errors?.[0].code];
const signIn = (password = PASSWORD, who = email, from = HOME) =>
  world.as().raw('/v1/users/self/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`,
      'x-forwarded-for': from,
    },
  });

describe('failed sign-ins', () => {
  it('pause the email address on their network but not on others', async () => {
    for (let index = 0; index < 5; index++) expect(codes(await signIn('Wrong-teapot-7'))).toEqual([401, 1120]);
    const paused = await signIn();
    expect(codes(paused)).toEqual([429, 1121]);
    expect(Number(paused.headers.get('retry-after'))).toBe(1);
    expect((await signIn(PASSWORD, email, ELSEWHERE)).status).toBe(200);
    clock.advance(MINUTE);
    expect((await signIn()).status).toBe(200);
  });

  it('cannot lock a person out of a network they have signed in from', async () => {
    expect((await signIn()).status).toBe(200);
    for (let index = 0; index <= attempts.FREE_FAILURES.email; index++)
      await attempts.recordFailure(world.kernel.db, email, `203.0.${index}.1`);
    expect(codes(await signIn(PASSWORD, email, ELSEWHERE))).toEqual([429, 1121]);
    expect((await signIn()).status).toBe(200);
  });

  it('are each counted, even when they are concurrent', async () => {
    const all = await Promise.all(Array.from({ length: 32 }, (_, index) => signIn(`Wrong-teapot-${index}`)));
    const rejections = all.filter((reply) => codes(reply)[1] === 1120).length;
    expect(rejections).toBeGreaterThanOrEqual(5);
    // Two hashes can be compared at the same time, so a sixth attempt may get through.
    expect(rejections).toBeLessThanOrEqual(6);
    expect(all.filter((reply) => codes(reply)[1] === 1121).length).toBe(32 - rejections);
  });

  it('cause the same server workload for known and unknown email addresses', async () => {
    const cost = async (who: string) => {
      const before = hashesDone();
      const reply = await signIn('Wrong-teapot-7', who);
      const { jobs } = await world.kernel.db.one<{ jobs: number }>(sql`
        select count(*) as jobs from pgboss.job where name = 'auth.sign_in_failed' and data->>'email' = ${who}`);
      return { codes: codes(reply), text: reply.body.errors[0].message, hashes: hashesDone() - before, jobs };
    };
    const unknownUser = await cost(`nobody-${company.user_id}@signin.localhost`);
    expect(unknownUser).toMatchObject({ codes: [401, 1120], hashes: 1, jobs: 1 });
    expect(await cost(email)).toEqual(unknownUser);
    await world.kernel.db.run(sql`update logins set password_hash = null where id = ${company.user_id}`);
    await world.kernel.db.run(sql`delete from pgboss.job where name = 'auth.sign_in_failed'`);
    expect(await cost(email)).toEqual(unknownUser);
  });

  it('are logged for existing users, and many of them trigger one email per day', async () => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 6; index++) await signIn('Wrong-teapot-7');
      clock.advance(5 * MINUTE);
    }
    await until('they are in the log', async () => {
      const acts = await world.kernel.db.rows<{ address: string }>(sql`
        select address from audit_log where account_id = ${company.account_id} and action = 'session.sign_in_failed'`);
      return acts.length >= 6 && acts.every(({ address }) => address === HOME);
    });
    await mailTo(world.kernel, email);
    await until('no job is left', async () => {
      const { left } = await world.kernel.db.one<{ left: number }>(sql`
        select count(*) as left from pgboss.job where name = 'auth.sign_in_failed'
        and state in ('created', 'active', 'retry')`);
      return left === 0;
    });
    const subjects = (await mailsTo(world.kernel, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Several failed sign-ins').length).toBe(1);
  });
});

describe('a correct password', () => {
  it('is rehashed when the hash parameters are outdated', async () => {
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    expect(isOutdated(weak)).toBe(true);
    await world.kernel.db.run(sql`update logins set password_hash = ${weak} where id = ${company.user_id}`);
    expect((await signIn()).status).toBe(200);
    const stored = await world.kernel.db.one<{ password_hash: string }>(
      sql`select password_hash from logins where id = ${company.user_id}`,
    );
    expect(isOutdated(stored.password_hash)).toBe(false);
    expect((await signIn()).status).toBe(200);
  });

  it('opens an available company, and is rejected with the reason when there is none', async () => {
    const { db } = world.kernel;
    const second = await makeCompany(world.kernel);
    await db.run(sql`
      update users set login_id = ${company.user_id}, last_seen_date = ${clock.now()} where id = ${second.user_id}`);
    const account = async () =>
      (await world.as((await signIn()).body.data.access_token).get('/v1/users/self')).body.data.account_id;
    expect(await account()).toBe(second.account_id);
    await db.run(sql`update users set blocked = true where id = ${second.user_id}`);
    expect(await account()).toBe(company.account_id);
    await db.run(sql`update accounts set close_date = now() where id = ${company.account_id}`);
    expect(codes(await signIn())).toEqual([403, 1135]);
    expect(codes(await signIn('Wrong-teapot-7'))).toEqual([401, 1120]);
    await db.run(sql`update accounts set close_date = now() where id = ${second.account_id}`);
    expect(codes(await signIn())).toEqual([403, 1145]);
    await db.run(sql`update users set login_id = null, remove_date = now() where login_id = ${company.user_id}`);
    expect(codes(await signIn())).toEqual([403, 1145]);
  });

  it('can contain any Unicode characters', async () => {
    const odd = 'Ünïcødé:🦊-1 \u202e"';
    await world.kernel.db.run(sql`
      update logins set password_hash = ${await hashPassword(odd)} where id = ${company.user_id}`);
    expect((await signIn(odd)).status).toBe(200);
    expect(codes(await signIn(`${odd}\0`))).toEqual([401, 1120]);
    expect(codes(await signIn(odd, `${email}\0`))).toEqual([401, 1120]);
  });
});

describe('the second step', () => {
  let secret: string;
  let recovery: string[];
  beforeEach(async () => {
    secret = newTotpSecret();
    const sealed = world.kernel.seals.seal(secret, { table: 'logins', row: company.user_id });
    recovery = await world.kernel.db.tx(async (tx) => {
      await tx.run(sql`
        update logins set totp_secret = ${sealed}, totp_date = ${tx.now} where id = ${company.user_id}`);
      return renewRecoveryCodes(tx, company.user_id);
    });
  });
  const code = () => totpCode(secret, stepAt(clock.now()));
  const verify = (id: string, code: string, method = 'totp') =>
    world.as().put(`/v1/login_verifications/${id}`, { method, code });
  const begin = async () => (await signIn()).body.data;

  it('follows the password and opens a session with both factors', async () => {
    const first = await begin();
    expect(first).toMatchObject({
      access_token: null,
      next: 'login_verification',
      methods: ['totp', 'recovery_code'],
    });
    const reply = await verify(first.verification_id, code());
    expect(reply.body.data).toMatchObject({ next: null, access_token: expect.any(String) });
    const sessions = await world.as(reply.body.data.access_token).get('/v1/users/self/sessions');
    expect(sessions.body.data[0]).toMatchObject({ current: true, second_factor: true, method: 'password' });
    expect(codes(await verify(first.verification_id, recovery[0]!, 'recovery_code'))).toEqual([410, 1140]);
    const [entry] = await world.kernel.db.rows(sql`
      select action, detail from audit_log where account_id = ${company.account_id} and action = 'session.signed_in'`);
    expect(entry).toEqual({ action: 'session.signed_in', detail: { method: 'password', second_factor: true } });
  });

  it('opens only one session for 32 concurrent requests', async () => {
    const { verification_id } = await begin();
    const currentCode = code();
    const all = await Promise.all(Array.from({ length: 32 }, () => verify(verification_id, currentCode)));
    expect(all.filter(({ body }) => body.data?.access_token).length).toBe(1);
    const recoveryFor = (await begin()).verification_id;
    const again = await Promise.all(
      recovery.slice(0, 4).map((attempt) => verify(recoveryFor, attempt, 'recovery_code')),
    );
    expect(again.filter(({ body }) => body.data?.access_token).length).toBe(1);
  });

  it('allows five attempts within ten minutes', async () => {
    const { verification_id } = await begin();
    const results: unknown[] = [];
    for (let index = 0; index < 5; index++) results.push(codes(await verify(verification_id, '000000'))[1]);
    expect(results.every((attempt) => attempt === 1147 || attempt === 1121)).toBe(true);
    expect(codes(await verify(verification_id, code()))).toEqual([410, 1140]);
    clock.advance(30 * MINUTE);
    const expired = await begin();
    clock.advance(10 * MINUTE + 1_000);
    expect(codes(await verify(expired.verification_id, code()))).toEqual([410, 1140]);
  });

  it('is rejected for another verification’s id and for a blocked user', async () => {
    expect(codes(await verify(company.user_id, code()))).toEqual([404, 1110]);
    const reset = await world.as().post('/v1/password_resets', { email });
    expect(codes(await verify(reset.body.data.id, code()))).toEqual([404, 1110]);
    const { verification_id } = await begin();
    expect(codes(await world.as().put(`/v1/email_verifications/${verification_id}`, { code: '123456' }))).toEqual([
      404, 1110,
    ]);
    await world.kernel.db.run(sql`update users set blocked = true where id = ${company.user_id}`);
    expect(codes(await verify(verification_id, code()))).toEqual([403, 1135]);
  });

  it('must be set up when the company requires two-factor authentication', async () => {
    const { db } = world.kernel;
    await db.run(sql`update logins set totp_secret = null, totp_date = null where id = ${company.user_id}`);
    await db.run(sql`update accounts set second_factor_required = true where id = ${company.account_id}`);
    await db.run(sql`delete from recovery_codes where login_id = ${company.user_id}`);
    const { access_token } = (await signIn()).body.data;
    const me = world.as(access_token);
    expect((await me.get('/v1/users/self')).body.data.pending).toBe('second_factor');
    expect(codes(await me.get('/v1/audiences'))).toEqual([403, 1144]);
  });
});

it.each([
  ['a second factor', 1144, 'second_factor'],
  ['a phone number', 1141, 'phone'],
])('a user cannot enter sub-accounts before setting up %s', async (_, code, pending) => {
  const { db } = world.kernel;
  const waiting = await makeCompany(world.kernel);
  const subAccount = await makeCompany(world.kernel);
  await db.run(sql`
    update accounts set parent_id = ${waiting.account_id}, account_type = 'SUB_ACCOUNT'
    where id = ${subAccount.account_id}`);
  const me = world.as(waiting.token);
  if (pending === 'phone') await db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${waiting.user_id}`);
  else await db.run(sql`update accounts set second_factor_required = true where id = ${waiting.account_id}`);
  expect((await me.get('/v1/users/self')).body.data.pending).toBe(pending);
  expect(codes(await me.get(`/v1/users/${subAccount.user_id}/token`))).toEqual([403, code]);
});

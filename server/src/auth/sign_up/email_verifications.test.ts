import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { codeIn, linkIn, mailsTo, mailTo } from '../../test/mailbox.ts';
import { makeCompany } from '../../test/make.ts';
import { recordStatements } from '../../test/statements.ts';
import { createWorld, type Reply, until, type World } from '../../test/world.ts';
import { COOLDOWN_SECONDS, codeLimits } from '../../verify/limits.ts';
import { hashesDone, hashPassword } from '../passwords/passwords.ts';

const clock = heldClock(new Date());
let world: World;
let count = 0;

beforeAll(async () => {
  world = await createWorld({ clock });
});
afterAll(() => world.stop());
// Clears the sent codes so that they do not count toward the limits in the next test.
beforeEach(() => world.kernel.db.run(sql`delete from code_sends`));

const PASSWORD = 'Tangled-teapot-7';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const codes = (reply: Reply): unknown[] => [reply.status, reply.body?.errors?.[0].code];
const limits = () => codeLimits('mail', world.kernel.config);
const requestCode = (email: string) => world.as().post('/v1/email_verifications', { email });
const askReset = (email: string) => world.as().post('/v1/password_resets', { email });
const give = (id: string, code: string) => world.as().put(`/v1/email_verifications/${id}`, { code });
const choose = (link: string, password: string) => world.as().put(`/v1/password_resets/${link}`, { password });
const signIn = (email: string, password: string) =>
  world.as().raw('/v1/users/self/token', {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
  });
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Creates a person who has not confirmed their sign-up. */
async function makeNew(): Promise<{ email: string; id: string; code: string }> {
  const email = `new${++count}@codes.localhost`;
  const reply = await world.as().post('/v1/users', {
    email,
    password: PASSWORD,
    first_name: 'Nora',
    last_name: 'Lind',
    company_name: `Lind ${newId()}`,
    country_code: 'GB',
    terms: true,
  });
  return { email, id: reply.body.data.verification_id, code: codeIn(await mailTo(world.kernel, email)) };
}

/** Creates a person with a confirmed address. */
async function makePerson(): Promise<{ email: string; account_id: string; user_id: string; token: string }> {
  const company = await makeCompany(world.kernel);
  const email = `known${++count}@codes.localhost`;
  await world.kernel.db.run(sql`
    with l as (update logins set email = ${email}, password_hash = ${await hashPassword(PASSWORD)}
    where id = ${company.user_id})
    update users set email = ${email} where id = ${company.user_id}`);
  return { ...company, email };
}

describe('a sign-up code', () => {
  it('is accepted by only one of 32 concurrent requests', async () => {
    const { email, id, code } = await makeNew();
    const all = await Promise.all(Array.from({ length: 32 }, () => give(id, code)));
    expect(all.filter(({ status }) => status === 200).length).toBe(1);
    expect(new Set(all.filter(({ status }) => status !== 200).map((reply) => codes(reply)[1]))).toEqual(
      new Set([1140]),
    );
    const sessions = await world.kernel.db.rows(sql`
      select 1 from sessions s join logins l on l.id = s.login_id where l.email = ${email}`);
    expect(sessions.length).toBe(1);
  });

  it('is rejected after five wrong attempts, even if it is correct', async () => {
    const { id, code } = await makeNew();
    const results = [];
    for (let index = 0; index < 5; index++) results.push(codes(await give(id, wrongCode(code))));
    expect(results).toEqual(Array(5).fill([400, 1125]));
    expect(codes(await give(id, code))).toEqual([410, 1140]);
  });

  it('allows only five of 32 concurrent attempts', async () => {
    const { id, code } = await makeNew();
    const all = await Promise.all(Array.from({ length: 32 }, () => give(id, wrongCode(code))));
    expect(all.filter((reply) => codes(reply)[1] === 1125).length).toBe(5);
    expect(all.filter((reply) => codes(reply)[1] === 1140).length).toBe(27);
  });

  it('expires after ten minutes', async () => {
    const first = await makeNew();
    const second = await makeNew();
    clock.advance(10 * MINUTE - SECOND);
    expect((await give(first.id, first.code)).status).toBe(200);
    clock.advance(2 * SECOND);
    expect(codes(await give(second.id, second.code))).toEqual([410, 1140]);
  });

  it('is replaced when a new one is requested after the cooldown', async () => {
    const first = await makeNew();
    const reply = await requestCode(first.email);
    expect(codes(reply)).toEqual([409, 1167]);
    expect(Number(reply.headers.get('retry-after'))).toBe(30);
    clock.advance(COOLDOWN_SECONDS[0] * SECOND);
    const again = await requestCode(first.email);
    expect(again.status).toBe(201);
    const second = codeIn(await mailTo(world.kernel, first.email, 2));
    expect(codes(await give(first.id, first.code))).toEqual([410, 1140]);
    clock.advance(COOLDOWN_SECONDS[0] * SECOND);
    expect(codes(await requestCode(first.email))).toEqual([409, 1167]);
    expect((await give(again.body.data.id, second)).status).toBe(200);
  });

  it('is sent again at sign-in only after the previous one expires', async () => {
    const { email, id, code } = await makeNew();
    const firstSignIn = await signIn(email, PASSWORD);
    expect(firstSignIn.body.data).toMatchObject({
      access_token: null,
      next: 'email_verification',
      verification_id: id,
    });
    clock.advance(11 * MINUTE);
    const secondSignIn = await signIn(email, PASSWORD);
    expect(secondSignIn.body.data.next).toBe('email_verification');
    const mail = await mailTo(world.kernel, email, 2);
    expect((await give(secondSignIn.body.data.verification_id, codeIn(mail))).status).toBe(200);
    expect(codes(await give(id, code))).toEqual([410, 1140]);
    expect((await mailsTo(world.kernel, email)).length).toBe(2);
  });

  it('cannot sign in a person whose address is already confirmed', async () => {
    const { email } = await makePerson();
    const reply = await requestCode(email);
    expect(reply.status).toBe(201);
    const rows = await world.kernel.db.rows<{ login_id: string | null }>(sql`
      select login_id from verifications where id = ${reply.body.data.id}`);
    expect(rows).toEqual([{ login_id: null }]);
  });

  it('is rejected when its id is unknown or its digits are malformed', async () => {
    expect(codes(await give(newId(), '123456'))).toEqual([404, 1110]);
    expect(codes(await give('1', '123456'))).toEqual([404, 1110]);
    const { id } = await makeNew();
    expect(codes(await give(id, '12345'))).toEqual([400, 1125]);
    expect(codes(await give(id, '１２３４５６'))).toEqual([400, 1125]);
  });
});

describe('a registered email address', () => {
  it.each([
    ['a code', '/v1/email_verifications'],
    ['a password reset', '/v1/password_resets'],
  ])('is indistinguishable from an unknown one when %s is requested', async (_, path) => {
    const { email } = await makePerson();
    const work = async (address: string) => {
      const before = [hashesDone(), await countJobs()];
      const reply = await world.as().post(path, { email: address });
      const results = [];
      for (let index = 0; index < 6; index++) results.push(codes(await give(reply.body.data.id, '000000')));
      const after = [hashesDone(), await countJobs()];
      return {
        status: reply.status,
        fields: Object.keys(reply.body.data).sort(),
        wait: Date.parse(reply.body.data.resend_date) - clock.now().getTime(),
        life: Date.parse(reply.body.data.expire_date) - clock.now().getTime(),
        again: codes(await world.as().post(path, { email: address })),
        tries: results,
        work: after.map((value, index) => value - before[index]!),
      };
    };
    const unknownUser = await work(`nobody${++count}@codes.localhost`);
    expect(await work(email)).toEqual(unknownUser);
    expect(unknownUser).toMatchObject({ status: 201, again: [409, 1167] });
    expect(unknownUser.tries).toEqual([...Array(5).fill([400, 1125]), [410, 1140]]);
  });

  const countJobs = async () =>
    (
      await world.kernel.db.one<{ jobs: number }>(sql`
        select count(*) as jobs from pgboss.job where name = 'auth.send_code'`)
    ).jobs;

  it('triggers the same SQL statements as an unknown one', async () => {
    const { email } = await makePerson();
    const statements = (address: string) => recordStatements(world.kernel.db, 'code_sends', () => askReset(address));
    await statements(`warm${++count}@codes.localhost`);
    const unknownUser = await statements(`nobody${++count}@codes.localhost`);
    expect(unknownUser).toEqual([expect.arrayContaining(['commit', ' select pg_advisory_xact_lock(7302)'.trim()])]);
    expect(await statements(email)).toEqual(unknownUser);
  });
});

describe('a forgotten password', () => {
  it('is reset only once through the link, and every session ends', async () => {
    const { email, account_id, user_id, token } = await makePerson();
    expect((await askReset(email.toUpperCase())).status).toBe(201);
    const mail = await mailTo(world.kernel, email);
    const link = linkIn(mail, '/reset-password');
    expect(codes(await choose(link, 'password'))).toEqual([400, 1114]);
    expect(codes(await choose(link, 'Password123'))).toEqual([400, 1115]);
    const all = await Promise.all(Array.from({ length: 32 }, (_, index) => choose(link, `Copper-kettle-${index}`)));
    expect(all.filter(({ status }) => status === 204).length).toBe(1);
    expect(new Set(all.filter(({ status }) => status !== 204).map((reply) => codes(reply)[1]))).toEqual(
      new Set([1140]),
    );
    const password = `Copper-kettle-${all.findIndex(({ status }) => status === 204)}`;
    expect((await world.as(token).get('/v1/users/self')).status).toBe(401);
    expect(codes(await signIn(email, PASSWORD))).toEqual([401, 1120]);
    expect((await signIn(email, password)).body.data.access_token).toBeTruthy();
    expect((await mailTo(world.kernel, email, 2)).subject).toBe('Your password was changed');
    const { db } = world.kernel;
    await until('the failed sign-in is logged', async () => {
      const acts = await db.rows<{ action: string }>(
        sql`select action from audit_log where account_id = ${account_id}`,
      );
      return (
        acts
          .map(({ action }) => action)
          .sort()
          .join() === 'password.reset,session.sign_in_failed,session.signed_in'
      );
    });
    const events = await db.rows<{ type: string; payload: { session_id: string } }>(sql`
      select type, payload from events where account_id = ${account_id} and type = 'session.ended'`);
    expect(events.map(({ payload }) => payload)).toEqual([{ user_id, session_id: expect.any(String) }]);
  });

  it('is reset without bypassing the second factor', async () => {
    const { email } = await makePerson();
    await world.kernel.db.run(sql`
      update logins set totp_secret = 'x', totp_date = now() where lower(email) = ${email.toLowerCase()}`);
    await askReset(email);
    const link = linkIn(await mailTo(world.kernel, email), '/reset-password');
    expect((await choose(link, 'Copper-kettle-1')).status).toBe(204);
    expect((await signIn(email, 'Copper-kettle-1')).body.data).toMatchObject({
      access_token: null,
      next: 'login_verification',
      methods: ['totp'],
    });
  });

  it('is reset with the emailed code, which can be exchanged only once', async () => {
    const { email } = await makePerson();
    const { body } = await askReset(email);
    const mail = await mailTo(world.kernel, email);
    const all = await Promise.all(Array.from({ length: 32 }, () => give(body.data.id, codeIn(mail))));
    const successes = all.filter(({ status }) => status === 200);
    expect(successes.length).toBe(1);
    expect(successes[0]!.body.data).toMatchObject({ purpose: 'password_reset', access_token: null, next: null });
    // The link in the email is no longer valid.
    expect(codes(await choose(linkIn(mail, '/reset-password'), 'Copper-kettle-9'))).toEqual([410, 1140]);
    expect((await choose(successes[0]!.body.data.hash, 'Copper-kettle-9')).status).toBe(204);
  });

  it('cannot be reset with an expired code or link, or after a newer one is sent', async () => {
    const { email } = await makePerson();
    const first = await askReset(email);
    const mail = await mailTo(world.kernel, email);
    clock.advance(11 * MINUTE);
    expect(codes(await give(first.body.data.id, codeIn(mail)))).toEqual([410, 1140]);
    await askReset(email);
    const newer = linkIn(await mailTo(world.kernel, email, 2), '/reset-password');
    expect(codes(await choose(linkIn(mail, '/reset-password'), 'Copper-kettle-9'))).toEqual([410, 1140]);
    clock.advance(61 * MINUTE);
    expect(codes(await choose(newer, 'Copper-kettle-9'))).toEqual([410, 1140]);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('confirms an unconfirmed email address when it is reset', async () => {
    const { email } = await makeNew();
    clock.advance(MINUTE);
    await askReset(email);
    const link = linkIn(await mailTo(world.kernel, email, 2), '/reset-password');
    expect((await choose(link, 'Copper-kettle-9')).status).toBe(204);
    const reply = await signIn(email, 'Copper-kettle-9');
    expect((await world.as(reply.body.data.access_token).get('/v1/users/self')).body.data.status).toBe(
      'EMAIL_VERIFIED',
    );
  });

  it('cannot be reset through an invalid link', async () => {
    for (const link of ['x', 'x'.repeat(43), newId(), "';--".padEnd(30, 'x')])
      expect(codes(await choose(encodeURIComponent(link), 'Copper-kettle-9'))).toEqual([410, 1140]);
  });
});

describe('code limits', () => {
  it('increase the cooldown for one address, then block it for an hour', async () => {
    const email = `often${++count}@codes.localhost`;
    const results: unknown[] = [];
    for (let index = 0; index < limits().target_hour; index++) {
      results.push(codes(await askReset(email)));
      const repeated = await askReset(email);
      const seconds = COOLDOWN_SECONDS[Math.min(index, 2)]!;
      if (index < limits().target_hour - 1)
        expect([codes(repeated), repeated.headers.get('retry-after')]).toEqual([[409, 1167], String(seconds)]);
      clock.advance(seconds * SECOND);
    }
    expect(results).toEqual(Array(limits().target_hour).fill([201, undefined]));
    expect(codes(await askReset(email))).toEqual([429, 1146]);
    clock.advance(60 * MINUTE);
    expect((await askReset(email)).status).toBe(201);
  });

  it('apply to one network, even when requests are concurrent', async () => {
    const remaining = 7;
    await world.kernel.db.run(sql`
      insert into code_sends (id, channel, target, network, create_date)
      select gen_random_uuid(), 'mail', 'somebody' || n, '127.0.0.0/24', ${clock.now()}
      from generate_series(1, ${limits().network_hour - remaining}) n`);
    const all = await Promise.all(Array.from({ length: 32 }, (_, index) => askReset(`flood${index}@codes.localhost`)));
    expect(all.filter(({ status }) => status === 201).length).toBe(remaining);
    expect(all.filter((reply) => codes(reply)[1] === 1146).length).toBe(32 - remaining);
  });

  it('apply to the daily total, including sign-ups', async () => {
    await world.kernel.db.run(sql`
      insert into code_sends (id, channel, target, network, create_date)
      select gen_random_uuid(), 'mail', 'somebody' || n, n::text, ${clock.now()}
      from generate_series(1, ${limits().day}) n`);
    expect(codes(await askReset('one-more@codes.localhost'))).toEqual([429, 1146]);
    expect(codes(await world.as().post('/v1/users', signUpForm()))).toEqual([429, 1146]);
    await until('the sign-up is deleted', async () => {
      const rows = await world.kernel.db.rows(sql`select 1 from logins where email = 'late@codes.localhost'`);
      return rows.length === 0;
    });
  });

  const signUpForm = () => ({
    email: 'late@codes.localhost',
    password: PASSWORD,
    first_name: 'Nora',
    last_name: 'Lind',
    company_name: `Late ${newId()}`,
    country_code: 'GB',
    terms: true,
  });
});

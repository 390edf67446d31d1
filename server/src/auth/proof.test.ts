/** Proving once more who one is: what asks for it and when, what counts, and that each proof counts once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany, makeSender, makeUser } from '../test/make.ts';
import { passkeyDevice } from '../test/peers/authenticator.ts';
import { makeSubAccount } from '../test/team.ts';
import { createWorld, type Reply, type World } from '../test/world.ts';
import { hashPassword, hashToken } from './auth.ts';
import { BROWSER_COOKIE, ticketToken } from './social_tickets.ts';
import { stepAt, totpCode } from './totp.ts';

const PASSWORD = 'Right-password-1';
const MINUTE = 60_000;
const LATER = 10 * MINUTE + 1_000;
const BROWSER = 'b'.repeat(32);
const clock = heldClock(new Date());
let world: World;
let password_hash: string;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  const operators = await makeCompany(world.kernel, { operator: true });
  await makeSender(world.kernel, operators.account_id, { code: '447700900999' });
  password_hash = await hashPassword(PASSWORD);
}, 60_000);
afterAll(() => world?.stop());

const told = ({ status, body }: Reply): unknown[] => [status, body?.errors?.[0].code];
const ASKED = [400, 1126];
const DONE = [204, undefined];

/** With a password, a passkey, a confirmed number and one connected provider; signed in just now by the password. */
async function person(password: string | null = password_hash) {
  const { account_id } = await makeCompany(world.kernel);
  const user = await makeUser(world.kernel, account_id, { permissions: { AUDIENCES: 1 } });
  const as = world.as(user.token);
  const device = passkeyDevice({ origin: world.kernel.config.PUBLIC_URL, rp_id: 'localhost' });
  const proof = password === null ? {} : { current_password: PASSWORD };
  await world.kernel.db.run(sql`
    update logins set password_hash = ${password}, phone_number = ${`44741100${String(++next).padStart(4, '0')}`}
    where id = ${user.user_id}`);
  const { id, options } = (await as.post('/v1/users/self/passkey_challenges', proof)).body.data;
  const made = await as.post('/v1/users/self/passkeys', {
    challenge_id: id,
    name: 'Laptop',
    credential: device.register(options),
  });
  return { ...user, account_id, as, device, passkey: made.body.data.id as string };
}
type Person = Awaited<ReturnType<typeof person>>;

/** What a provider said, in the hands of this browser. */
async function ticket(): Promise<string> {
  const token = `ticket-${'x'.repeat(20)}-${++next}`;
  await world.kernel.db.run(sql`
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, first_name, last_name, expire_date)
    values (${hashToken(ticketToken(token, BROWSER))}, 'google', 'https://accounts.example', ${token}, 'x@mail.localhost', true, '', '',
            ${clock.now()}::timestamptz + interval '1 minute')`);
  return token;
}
const connect = ({ token }: Pick<Person, 'token'>, social: string, proof: object = {}) =>
  world.as().raw('/v1/users/self/social_networks', {
    method: 'PUT',
    body: JSON.stringify({ data: proof }),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-social-token': social,
      cookie: `${BROWSER_COOKIE}=${BROWSER}`,
    },
  });
const removePasskey = ({ as, passkey }: Pick<Person, 'as' | 'passkey'>, proof: object = {}) =>
  as.post(`/v1/users/self/passkeys/${passkey}/removals`, proof);
const changePhone = ({ as }: Pick<Person, 'as'>, proof: object = {}) =>
  as.post('/v1/phone_verifications', { phone_number: `+44742${String(++next).padStart(3, '0')}1234`, ...proof });
const disconnect = ({ as }: Pick<Person, 'as'>, proof: object = {}) =>
  as.put('/v1/users/self/social_networks/google', proof);
async function answerOf({ device }: Person) {
  const { id, options } = (await world.as().post('/v1/passkey_challenges', {})).body.data;
  return { passkey: { challenge_id: id, credential: device.answer(options) } };
}
async function withTotp(who: Person, proof: object = {}): Promise<string> {
  const { secret } = (await who.as.post('/v1/users/self/totp', proof)).body.data;
  await who.as.put('/v1/users/self/totp', { code: totpCode(secret, stepAt(clock.now()) - 1) });
  return secret;
}

const ACTS: [string, (who: Person, proof?: object) => Promise<Reply>, number][] = [
  ['another phone', changePhone, 201],
  ['connecting a provider', async (who, proof) => connect(who, await ticket(), proof), 204],
  ['disconnecting one', disconnect, 204],
  ['removing a passkey', removePasskey, 204],
];

describe.each(ACTS)('%s', (what, act, status) => {
  const ready = async (): Promise<Person> => {
    const who = await person();
    if (what === 'disconnecting one') expect(told(await connect(who, await ticket()))).toEqual(DONE);
    return who;
  };

  test('asks nothing of whoever has just signed in with the password', async () => {
    const who = await ready();
    clock.advance(9 * MINUTE);
    expect((await act(who)).status).toBe(status);
  });

  test('takes the password later: missing and wrong change nothing, and wrong ones are counted', async () => {
    const who = await ready();
    clock.advance(LATER);
    const locks = () =>
      world.kernel.db.one(sql`
        select (select count(*)::int from passkeys where login_id = ${who.user_id}) as passkeys,
               (select count(*)::int from social_networks where login_id = ${who.user_id}) as networks,
               (select count(*)::int from verifications where login_id = ${who.user_id}) as codes,
               (select count(*)::int from audit_log where account_id = ${who.account_id}) as acts`);
    const before = await locks();
    expect(told(await act(who))).toEqual(ASKED);
    expect(told(await act(who, { current_password: 'Wrong-password-1' }))).toEqual(ASKED);
    // What stands in for a password that is not there counts for nothing beside one.
    expect(told(await act(who, await answerOf(who)))).toEqual(ASKED);
    expect(await locks()).toEqual(before);
    expect((await act(who, { current_password: PASSWORD })).status).toBe(status);
    expect(await locks()).not.toEqual(before);
    const other = await ready();
    clock.advance(LATER);
    const tries: unknown[] = [];
    for (let count = 0; count < 7; count++) tries.push(told(await act(other, { current_password: 'Wrong-1-word' }))[1]);
    expect(tries).toEqual([1126, 1126, 1126, 1126, 1126, 1121, 1121]);
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
  });
});

describe('just signed in', () => {
  test('is not who came by a provider, nor who goes over to another company with an old session', async () => {
    const who = await person();
    const { db } = world.kernel;
    const other = await makeCompany(world.kernel);
    const elsewhere = await makeUser(world.kernel, other.account_id);
    await db.run(sql`update users set login_id = ${who.user_id} where id = ${elsewhere.user_id}`);
    const go = async () => {
      const { access_token } = (await who.as.get(`/v1/users/${elsewhere.user_id}/token`)).body.data;
      return { ...who, token: access_token as string, as: world.as(access_token) };
    };
    clock.advance(9 * MINUTE);
    expect((await changePhone(await go())).status).toBe(201);
    clock.advance(2 * MINUTE);
    expect(told(await changePhone(await go()))).toEqual(ASKED);

    const provided = await person();
    const social = await ticket();
    await connect(provided, social);
    const again = await ticket();
    await db.run(sql`
      update social_tickets t set subject = ${social} where ticket_hash = ${hashToken(ticketToken(again, BROWSER))}`);
    const { body } = await world.as().raw('/v1/users/self/token', {
      method: 'POST',
      body: '{"data":{}}',
      headers: {
        'content-type': 'application/json',
        'x-social-token': again,
        cookie: `${BROWSER_COOKIE}=${BROWSER}`,
      },
    });
    const session = { ...provided, as: world.as(body.data.access_token) };
    expect(told(await removePasskey(session))).toEqual(ASKED);
    expect(told(await removePasskey(session, { current_password: PASSWORD }))).toEqual(DONE);
  });

  test('is who came by a passkey', async () => {
    const who = await person();
    clock.advance(LATER);
    const { passkey } = await answerOf(who);
    const { access_token } = (await world.as().post('/v1/passkey_sign_ins', passkey)).body.data;
    expect(told(await removePasskey({ ...who, as: world.as(access_token) }))).toEqual(DONE);
  });
});

describe('the first phone', () => {
  test('is never asked for a proof; the next one is', async () => {
    const who = await person();
    await world.kernel.db.run(sql`
      update logins set phone_number = null, status = 'EMAIL_VERIFIED' where id = ${who.user_id}`);
    clock.advance(LATER);
    expect((await changePhone(who)).status).toBe(201);
    await world.kernel.db.run(sql`
      update logins set phone_number = '447433331234', status = 'PHONE_VERIFIED' where id = ${who.user_id}`);
    clock.advance(MINUTE);
    expect(told(await changePhone(who))).toEqual(ASKED);
  });
});

describe('what a provider said', () => {
  test('is kept while the password is asked for, ten minutes, and connects once of 32 times', async () => {
    const who = await person();
    clock.advance(LATER);
    const social = await ticket();
    expect(told(await connect(who, social))).toEqual(ASKED);
    clock.advance(9 * MINUTE);
    const proof = { current_password: PASSWORD };
    const all = await Promise.all(Array.from({ length: 32 }, () => connect(who, social, proof)));
    expect(all.filter(({ status }) => status === 204).length).toBe(1);
    expect(all.filter(({ status }) => status === 410).length).toBe(31);
    const late = await ticket();
    expect(told(await connect(who, late))).toEqual(ASKED);
    clock.advance(LATER);
    expect(told(await connect(who, late, proof))).toEqual([410, 1140]);
  });
});

describe('what changes the locks asks for the password and the second factor', () => {
  const LOCKS: [string, string, object][] = [
    ['another address', 'email_changes', { email: 'another@mail.localhost' }],
    ['new recovery codes', 'recovery_codes', {}],
    ['another passkey', 'passkey_challenges', {}],
    ['an authenticator beside a passkey', 'totp', {}],
  ];
  test.each(LOCKS)('%s', async (_, path, data) => {
    const who = await person();
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${who.user_id}`);
    const ask = (proof: object) => who.as.post(`/v1/users/self/${path}`, { ...data, ...proof });
    const current = { current_password: PASSWORD };
    // Both were given a moment ago: the password is asked for all the same.
    expect(told(await ask({}))).toEqual(ASKED);
    clock.advance(LATER);
    const refused = await ask(current);
    expect([...told(refused), refused.body.errors[0].field]).toEqual([...ASKED, 'factor_code']);
    expect(told(await ask(await answerOf(who)))).toEqual(ASKED);
    expect((await ask({ ...current, ...(await answerOf(who)) })).status).toBe(201);
  });

  test('nothing but the password of whoever signed in with both just now', async () => {
    const who = await person();
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${who.user_id}`);
    const renewed = await who.as.post('/v1/users/self/recovery_codes', { current_password: PASSWORD });
    expect(renewed.status).toBe(201);
  });
});

describe('closing', () => {
  const owner = async () => {
    const who = await person();
    await world.kernel.db.run(sql`update users set is_owner = true where id = ${who.user_id}`);
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${who.user_id}`);
    return who;
  };

  test('the account asks for both, also a moment after they were given', async () => {
    const who = await owner();
    const { company_name } = await world.kernel.db.one<{ company_name: string }>(
      sql`select company_name from accounts where id = ${who.account_id}`,
    );
    const close = (proof: object) => who.as.post('/v1/accounts/self/closures', { company_name, ...proof });
    const current = { current_password: PASSWORD };
    const secret = await withTotp(who, { ...current, ...(await answerOf(who)) });
    const refused = await close(current);
    expect([...told(refused), refused.body.errors[0].field]).toEqual([...ASKED, 'factor_code']);
    const factor_code = totpCode(secret, stepAt(clock.now()));
    const wrong = await close({ current_password: 'Wrong-password-1', factor_code });
    expect([...told(wrong), wrong.body.errors[0].field]).toEqual([...ASKED, 'current_password']);
    // The code was not used up by the wrong password.
    expect(told(await close({ ...current, factor_code }))).toEqual(DONE);
    expect(told(await who.as.get('/v1/users/self'))).toEqual([401, 1101]);
  });

  test('a sub-account asks for both, too', async () => {
    const who = await owner();
    const account_id = await makeSubAccount(world.kernel, who);
    const close = (proof: object) =>
      who.as.raw(`/v1/accounts/self/subaccounts/${account_id}`, {
        method: 'DELETE',
        body: JSON.stringify({ data: proof }),
        headers: { 'content-type': 'application/json' },
      });
    expect(told(await who.as.delete(`/v1/accounts/self/subaccounts/${account_id}`))).toEqual(ASKED);
    expect(told(await close({ current_password: PASSWORD }))).toEqual(ASKED);
    expect(told(await close({ current_password: PASSWORD, ...(await answerOf(who)) }))).toEqual(DONE);
  });
});

describe('without a password', () => {
  test('a code of the authenticator stands in for it, once of 32 times; a recovery code, too', async () => {
    const who = await person(null);
    const secret = await withTotp(who);
    clock.advance(LATER);
    const renew = (factor_code?: string) => who.as.post('/v1/users/self/recovery_codes', { factor_code });
    expect(told(await renew())).toEqual(ASKED);
    const code = totpCode(secret, stepAt(clock.now()));
    const all = await Promise.all(Array.from({ length: 32 }, () => renew(code)));
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    for (const reply of all.filter(({ status }) => status !== 201)) expect([1121, 1126]).toContain(told(reply)[1]);
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
    const { recovery_codes } = all.find(({ status }) => status === 201)!.body.data;
    expect((await changePhone(who, { factor_code: recovery_codes[0] })).status).toBe(201);
    expect(told(await removePasskey(who, { factor_code: recovery_codes[0] }))).toEqual(ASKED);
    expect(told(await removePasskey(who, { factor_code: recovery_codes[1] }))).toEqual([409, 1164]);
  });

  test('a passkey stands in for it, for one act of 32; another’s does not', async () => {
    const [who, stranger] = [await person(null), await person(null)];
    clock.advance(LATER);
    const acts: [string, string, object][] = [
      ['PUT', '/v1/users/self/password', { password: 'Copper-kettle-9' }],
      ['POST', '/v1/users/self/email_changes', { email: 'new@mail.localhost' }],
      ['POST', '/v1/users/self/totp', {}],
      ['POST', '/v1/users/self/recovery_codes', {}],
      ['POST', '/v1/users/self/passkey_challenges', {}],
    ];
    for (const [method, path, data] of acts) {
      const send = (proof: object) =>
        who.as.raw(path, {
          method,
          body: JSON.stringify({ data: { ...data, ...proof } }),
          headers: { 'content-type': 'application/json' },
        });
      expect([path, ...told(await send({}))]).toEqual([path, ...ASKED]);
      expect([path, ...told(await send(await answerOf(stranger)))]).toEqual([path, ...ASKED]);
    }
    const proof = await answerOf(who);
    const all = await Promise.all(
      Array.from({ length: 32 }, () => who.as.post('/v1/users/self/passkey_challenges', proof)),
    );
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    expect(new Set(all.filter(({ status }) => status !== 201).map((reply) => told(reply)[1]))).toEqual(new Set([1126]));
  });

  test('and without anything else there is nothing to give', async () => {
    const who = await person(null);
    await world.kernel.db.run(sql`delete from passkeys where login_id = ${who.user_id}`);
    clock.advance(LATER);
    expect((await changePhone(who)).status).toBe(201);
    expect((await who.as.post('/v1/users/self/totp', {})).status).toBe(201);
  });
});

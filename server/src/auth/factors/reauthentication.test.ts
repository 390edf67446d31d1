/**
 * Tests which requests require re-authentication, which credentials it accepts, and that each factor is accepted
 * only once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { passkeyDevice } from '../../test/peers/authenticator.ts';
import { makeSubAccount } from '../../test/team.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { hashPassword, hashToken } from '../auth.ts';
import { BROWSER_COOKIE, ticketToken } from '../social/tickets.ts';
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
});
afterAll(() => world?.stop());

const outcome = ({ status, body }: Reply): unknown[] => [status, body?.errors?.[0].code];
const REQUIRED = [400, 1126];
const DONE = [204, undefined];

/** Creates a user with a passkey, a phone number, and by default a password, who has just signed in with it. */
async function person(password: string | null = password_hash) {
  const { account_id } = await makeCompany(world.kernel);
  const user = await makeUser(world.kernel, account_id, { permissions: { AUDIENCES: 1 } });
  const as = world.as(user.token);
  const device = passkeyDevice({ origin: world.kernel.config.PUBLIC_URL, rp_id: 'localhost' });
  const credentials = password === null ? {} : { current_password: PASSWORD };
  await world.kernel.db.run(sql`
    update logins set password_hash = ${password}, phone_number = ${`44741100${String(++next).padStart(4, '0')}`}
    where id = ${user.user_id}`);
  const { id, options } = (await as.post('/v1/users/self/passkey_challenges', credentials)).body.data;
  const reply = await as.post('/v1/users/self/passkeys', {
    challenge_id: id,
    name: 'Laptop',
    credential: device.register(options),
  });
  return { ...user, account_id, as, device, passkey: reply.body.data.id as string };
}
type Person = Awaited<ReturnType<typeof person>>;

/** Creates a social token for this browser. */
async function ticket(): Promise<string> {
  const token = `ticket-${'x'.repeat(20)}-${++next}`;
  await world.kernel.db.run(sql`
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified,
                                first_name, last_name, expire_date)
    values (${hashToken(ticketToken(token, BROWSER))}, 'google', 'https://accounts.example', ${token},
            'x@mail.localhost', true, '', '', ${clock.now()}::timestamptz + interval '1 minute')`);
  return token;
}
const connect = ({ token }: Pick<Person, 'token'>, social: string, credentials: object = {}) =>
  world.as().raw('/v1/users/self/social_networks', {
    method: 'PUT',
    body: JSON.stringify({ data: credentials }),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-social-token': social,
      cookie: `${BROWSER_COOKIE}=${BROWSER}`,
    },
  });
const removePasskey = ({ as, passkey }: Pick<Person, 'as' | 'passkey'>, credentials: object = {}) =>
  as.post(`/v1/users/self/passkeys/${passkey}/removals`, credentials);
const changePhone = ({ as }: Pick<Person, 'as'>, credentials: object = {}) =>
  as.post('/v1/phone_verifications', { phone_number: `+44742${String(++next).padStart(3, '0')}1234`, ...credentials });
const disconnect = ({ as }: Pick<Person, 'as'>, credentials: object = {}) =>
  as.put('/v1/users/self/social_networks/google', credentials);
async function answerPasskey({ device }: Person) {
  const { id, options } = (await world.as().post('/v1/passkey_challenges', {})).body.data;
  return { passkey: { challenge_id: id, credential: device.answer(options) } };
}
async function withTotp(user: Person, credentials: object = {}): Promise<string> {
  const { secret } = (await user.as.post('/v1/users/self/totp', credentials)).body.data;
  await user.as.put('/v1/users/self/totp', { code: totpCode(secret, stepAt(clock.now()) - 1) });
  return secret;
}

const SENSITIVE: [string, (user: Person, credentials?: object) => Promise<Reply>, number][] = [
  ['changing the phone number', changePhone, 201],
  ['connecting a provider', async (user, credentials) => connect(user, await ticket(), credentials), 204],
  ['disconnecting a provider', disconnect, 204],
  ['removing a passkey', removePasskey, 204],
];

describe.each(SENSITIVE)('%s', (change, act, status) => {
  const ready = async (): Promise<Person> => {
    const user = await person();
    if (change === 'disconnecting a provider') expect(outcome(await connect(user, await ticket()))).toEqual(DONE);
    return user;
  };

  test('does not require re-authentication soon after a password sign-in', async () => {
    const user = await ready();
    clock.advance(9 * MINUTE);
    expect((await act(user)).status).toBe(status);
  });

  test('requires the password after ten minutes, changes nothing without it, and counts wrong passwords', async () => {
    const user = await ready();
    clock.advance(LATER);
    const security = () =>
      world.kernel.db.one(sql`
        select (select count(*)::int from passkeys where login_id = ${user.user_id}) as passkeys,
               (select count(*)::int from social_networks where login_id = ${user.user_id}) as networks,
               (select count(*)::int from verifications where login_id = ${user.user_id}) as codes,
               (select count(*)::int from audit_log where account_id = ${user.account_id}) as acts`);
    const before = await security();
    expect(outcome(await act(user))).toEqual(REQUIRED);
    expect(outcome(await act(user, { current_password: 'Wrong-password-1' }))).toEqual(REQUIRED);
    // A factor replaces the password only for people who have no password.
    expect(outcome(await act(user, await answerPasskey(user)))).toEqual(REQUIRED);
    expect(await security()).toEqual(before);
    expect((await act(user, { current_password: PASSWORD })).status).toBe(status);
    expect(await security()).not.toEqual(before);
    const other = await ready();
    clock.advance(LATER);
    const results: unknown[] = [];
    for (let count = 0; count < 7; count++)
      results.push(outcome(await act(other, { current_password: 'Wrong-1-word' }))[1]);
    expect(results).toEqual([1126, 1126, 1126, 1126, 1126, 1121, 1121]);
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
  });
});

describe('a recent sign-in', () => {
  test('does not replace re-authentication when it used a provider or came from an old session', async () => {
    const user = await person();
    const { db } = world.kernel;
    const other = await makeCompany(world.kernel);
    const elsewhere = await makeUser(world.kernel, other.account_id);
    await db.run(sql`update users set login_id = ${user.user_id} where id = ${elsewhere.user_id}`);
    const switchCompany = async () => {
      const { access_token } = (await user.as.get(`/v1/users/${elsewhere.user_id}/token`)).body.data;
      return { ...user, token: access_token as string, as: world.as(access_token) };
    };
    clock.advance(9 * MINUTE);
    expect((await changePhone(await switchCompany())).status).toBe(201);
    clock.advance(2 * MINUTE);
    expect(outcome(await changePhone(await switchCompany()))).toEqual(REQUIRED);

    const providerUser = await person();
    const social = await ticket();
    await connect(providerUser, social);
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
    const session = { ...providerUser, as: world.as(body.data.access_token) };
    expect(outcome(await removePasskey(session))).toEqual(REQUIRED);
    expect(outcome(await removePasskey(session, { current_password: PASSWORD }))).toEqual(DONE);
  });

  test('replaces re-authentication when it used a passkey', async () => {
    const user = await person();
    clock.advance(LATER);
    const { passkey } = await answerPasskey(user);
    const { access_token } = (await world.as().post('/v1/passkey_sign_ins', passkey)).body.data;
    expect(outcome(await removePasskey({ ...user, as: world.as(access_token) }))).toEqual(DONE);
  });
});

describe('the first phone number', () => {
  test('does not require re-authentication, but the next one does', async () => {
    const user = await person();
    await world.kernel.db.run(sql`
      update logins set phone_number = null, status = 'EMAIL_VERIFIED' where id = ${user.user_id}`);
    clock.advance(LATER);
    expect((await changePhone(user)).status).toBe(201);
    await world.kernel.db.run(sql`
      update logins set phone_number = '447433331234', status = 'PHONE_VERIFIED' where id = ${user.user_id}`);
    clock.advance(MINUTE);
    expect(outcome(await changePhone(user))).toEqual(REQUIRED);
  });
});

describe('a social token', () => {
  test('remains valid for ten minutes during re-authentication and connects in only one of 32 requests', async () => {
    const user = await person();
    clock.advance(LATER);
    const social = await ticket();
    expect(outcome(await connect(user, social))).toEqual(REQUIRED);
    clock.advance(9 * MINUTE);
    const credentials = { current_password: PASSWORD };
    const all = await Promise.all(Array.from({ length: 32 }, () => connect(user, social, credentials)));
    expect(all.filter(({ status }) => status === 204).length).toBe(1);
    expect(all.filter(({ status }) => status === 410).length).toBe(31);
    const oldTicket = await ticket();
    expect(outcome(await connect(user, oldTicket))).toEqual(REQUIRED);
    clock.advance(LATER);
    expect(outcome(await connect(user, oldTicket, credentials))).toEqual([410, 1140]);
  });
});

describe('changing sign-in methods', () => {
  const CHANGES: [string, string, object][] = [
    ['change the email address', 'email_changes', { email: 'another@mail.localhost' }],
    ['replace the recovery codes', 'recovery_codes', {}],
    ['add another passkey', 'passkey_challenges', {}],
    ['add an authenticator in addition to a passkey', 'totp', {}],
  ];
  test.each(CHANGES)('requires the password and the second factor to %s', async (_, path, data) => {
    const user = await person();
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${user.user_id}`);
    const requestChange = (credentials: object) => user.as.post(`/v1/users/self/${path}`, { ...data, ...credentials });
    const current = { current_password: PASSWORD };
    // Both factors were verified a moment ago, but the password is still required.
    expect(outcome(await requestChange({}))).toEqual(REQUIRED);
    clock.advance(LATER);
    const refusal = await requestChange(current);
    expect([...outcome(refusal), refusal.body.errors[0].field]).toEqual([...REQUIRED, 'factor_code']);
    expect(outcome(await requestChange(await answerPasskey(user)))).toEqual(REQUIRED);
    expect((await requestChange({ ...current, ...(await answerPasskey(user)) })).status).toBe(201);
  });

  test('requires only the password right after signing in with both factors', async () => {
    const user = await person();
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${user.user_id}`);
    const renewal = await user.as.post('/v1/users/self/recovery_codes', { current_password: PASSWORD });
    expect(renewal.status).toBe(201);
  });
});

describe('closing an account', () => {
  const owner = async () => {
    const user = await person();
    await world.kernel.db.run(sql`update users set is_owner = true where id = ${user.user_id}`);
    await world.kernel.db.run(sql`update sessions set second_factor = true where login_id = ${user.user_id}`);
    return user;
  };

  test('requires the password and the second factor, even right after signing in with both', async () => {
    const user = await owner();
    const { company_name } = await world.kernel.db.one<{ company_name: string }>(
      sql`select company_name from accounts where id = ${user.account_id}`,
    );
    const close = (credentials: object) => user.as.post('/v1/accounts/self/closures', { company_name, ...credentials });
    const current = { current_password: PASSWORD };
    const secret = await withTotp(user, { ...current, ...(await answerPasskey(user)) });
    const refusal = await close(current);
    expect([...outcome(refusal), refusal.body.errors[0].field]).toEqual([...REQUIRED, 'factor_code']);
    const factor_code = totpCode(secret, stepAt(clock.now()));
    const wrongPassword = await close({ current_password: 'Wrong-password-1', factor_code });
    expect([...outcome(wrongPassword), wrongPassword.body.errors[0].field]).toEqual([...REQUIRED, 'current_password']);
    // The wrong password did not use up the code.
    expect(outcome(await close({ ...current, factor_code }))).toEqual(DONE);
    expect(outcome(await user.as.get('/v1/users/self'))).toEqual([401, 1101]);
  });

  test('requires the password and the second factor for a sub-account as well', async () => {
    const user = await owner();
    const account_id = await makeSubAccount(world.kernel, user);
    const close = (credentials: object) =>
      user.as.raw(`/v1/accounts/self/subaccounts/${account_id}`, {
        method: 'DELETE',
        body: JSON.stringify({ data: credentials }),
        headers: { 'content-type': 'application/json' },
      });
    expect(outcome(await user.as.delete(`/v1/accounts/self/subaccounts/${account_id}`))).toEqual(REQUIRED);
    expect(outcome(await close({ current_password: PASSWORD }))).toEqual(REQUIRED);
    expect(outcome(await close({ current_password: PASSWORD, ...(await answerPasskey(user)) }))).toEqual(DONE);
  });
});

describe('a person without a password', () => {
  test('re-authenticates with a recovery code or with an authenticator code that is accepted only once', async () => {
    const user = await person(null);
    const secret = await withTotp(user);
    clock.advance(LATER);
    const renew = (factor_code?: string) => user.as.post('/v1/users/self/recovery_codes', { factor_code });
    expect(outcome(await renew())).toEqual(REQUIRED);
    const code = totpCode(secret, stepAt(clock.now()));
    const all = await Promise.all(Array.from({ length: 32 }, () => renew(code)));
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    for (const reply of all.filter(({ status }) => status !== 201)) expect([1121, 1126]).toContain(outcome(reply)[1]);
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
    const { recovery_codes } = all.find(({ status }) => status === 201)!.body.data;
    expect((await changePhone(user, { factor_code: recovery_codes[0] })).status).toBe(201);
    expect(outcome(await removePasskey(user, { factor_code: recovery_codes[0] }))).toEqual(REQUIRED);
    expect(outcome(await removePasskey(user, { factor_code: recovery_codes[1] }))).toEqual([409, 1164]);
  });

  test('re-authenticates with their own passkey, not another user’s, and each response works only once', async () => {
    const [user, other] = [await person(null), await person(null)];
    clock.advance(LATER);
    const acts: [string, string, object][] = [
      ['PUT', '/v1/users/self/password', { password: 'Copper-kettle-9' }],
      ['POST', '/v1/users/self/email_changes', { email: 'new@mail.localhost' }],
      ['POST', '/v1/users/self/totp', {}],
      ['POST', '/v1/users/self/recovery_codes', {}],
      ['POST', '/v1/users/self/passkey_challenges', {}],
    ];
    for (const [method, path, data] of acts) {
      const send = (credentials: object) =>
        user.as.raw(path, {
          method,
          body: JSON.stringify({ data: { ...data, ...credentials } }),
          headers: { 'content-type': 'application/json' },
        });
      expect([path, ...outcome(await send({}))]).toEqual([path, ...REQUIRED]);
      expect([path, ...outcome(await send(await answerPasskey(other)))]).toEqual([path, ...REQUIRED]);
    }
    const credentials = await answerPasskey(user);
    const all = await Promise.all(
      Array.from({ length: 32 }, () => user.as.post('/v1/users/self/passkey_challenges', credentials)),
    );
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    expect(new Set(all.filter(({ status }) => status !== 201).map((reply) => outcome(reply)[1]))).toEqual(
      new Set([1126]),
    );
  });

  test('does not need to re-authenticate when no factor is set up', async () => {
    const user = await person(null);
    await world.kernel.db.run(sql`delete from passkeys where login_id = ${user.user_id}`);
    clock.advance(LATER);
    expect((await changePhone(user)).status).toBe(201);
    expect((await user.as.post('/v1/users/self/totp', {})).status).toBe(201);
  });
});

/** Tests passkeys from the first challenge to removal. The software authenticator can also send invalid responses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, makeUser } from '../../test/make.ts';
import { type Device, passkeyDevice } from '../../test/peers/authenticator.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { listFactors } from './factors.ts';
import { relyingParties } from './passkeys.ts';

const clock = heldClock(new Date());
let world: World;
let home: { origin: string; rp_id: string };

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  home = { origin: world.kernel.config.PUBLIC_URL, rp_id: 'localhost' };
});
afterAll(() => world?.stop());

const code = ({ status, body }: Reply): [number, number] => [status, body.errors[0].code];

/** Creates a person without a password, so that adding a passkey needs no re-authentication. */
async function person(options: { required?: boolean; operator?: boolean } = {}) {
  const company = await makeCompany(world.kernel, { operator: options.operator ?? false });
  if (options.required)
    await world.kernel.db.run(sql`update accounts set second_factor_required = true where id = ${company.account_id}`);
  const user = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 1 } });
  await world.kernel.db.run(sql`
    update logins set password_hash = null, totp_secret = null, totp_date = null where id = ${user.user_id}`);
  await world.kernel.db.run(sql`update sessions set second_factor = false where login_id = ${user.user_id}`);
  return { ...user, account_id: company.account_id, as: world.as(user.token) };
}
type Person = Awaited<ReturnType<typeof person>>;

const begin = async ({ as }: Pick<Person, 'as'>) => (await as.post('/v1/users/self/passkey_challenges', {})).body.data;
async function add(caller: Person, device: Device, name = 'Laptop'): Promise<Reply> {
  const { id, options } = await begin(caller);
  return caller.as.post('/v1/users/self/passkeys', { challenge_id: id, name, credential: device.register(options) });
}
const removal = ({ as }: Pick<Person, 'as'>, id: string) => as.post(`/v1/users/self/passkeys/${id}/removals`, {});
async function beginSignIn() {
  return (await world.as().post('/v1/passkey_challenges', {})).body.data;
}
async function signIn(device: Device, about: Parameters<Device['answer']>[1] = {}): Promise<Reply> {
  const { id, options } = await beginSignIn();
  return world.as().post('/v1/passkey_sign_ins', { challenge_id: id, credential: device.answer(options, about) });
}

describe('a passkey', () => {
  test('is registered by the device, counts as both factors at sign-in, and triggers an email', async () => {
    const caller = await person();
    const device = passkeyDevice(home);
    const { options } = await begin(caller);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Parley' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
    });
    const reply = await add(caller, device);
    expect([reply.status, reply.body.data.name]).toEqual([201, 'Laptop']);
    expect((await caller.as.get('/v1/users/self/passkeys')).body.data).toMatchObject([
      { name: 'Laptop', last_used_date: null },
    ]);
    const session = await signIn(device);
    expect([session.status, session.body.data.next, session.body.data.email]).toEqual([
      200,
      null,
      `${caller.user_id}@test.localhost`,
    ]);
    const self = await world.as(session.body.data.access_token).get('/v1/users/self');
    expect(self.status).toBe(200);
    const sessions = await world.kernel.db.rows(sql`
      select method, second_factor from sessions where login_id = ${caller.user_id} order by create_date, id`);
    expect(sessions).toEqual([
      { method: 'password', second_factor: true },
      { method: 'passkey', second_factor: true },
    ]);
    const subjects = await world.kernel.db.rows<{ subject: string }>(
      sql`select subject from mails where recipient = ${`${caller.user_id}@test.localhost`} order by create_date`,
    );
    expect(subjects.map(({ subject }) => subject)).toContain('A passkey was added');
    expect((await caller.as.get('/v1/users/self/passkeys')).body.data[0].last_used_date).not.toBeNull();
    expect((await begin(caller)).options.excludeCredentials).toMatchObject([{ id: device.id }]);
  });

  test('satisfies required two-factor authentication and cannot be removed when it is the last factor', async () => {
    const caller = await person({ required: true });
    expect(code(await caller.as.get('/v1/audiences'))).toEqual([403, 1144]);
    const passkey = (await add(caller, passkeyDevice(home))).body.data;
    expect((await caller.as.get('/v1/audiences')).status).toBe(200);
    expect(await listFactors(world.kernel.db, caller.user_id)).toEqual(['passkey']);
    expect(code(await removal(caller, passkey.id))).toEqual([403, 1144]);
    const second = (await add(caller, passkeyDevice(home), 'Key')).body.data;
    expect((await removal(caller, passkey.id)).status).toBe(204);
    expect((await caller.as.get('/v1/users/self/passkeys')).body.data.map((item: { id: string }) => item.id)).toEqual([
      second.id,
    ]);
  });

  test('does not add a second step after the password unless two-factor authentication is required', async () => {
    const caller = await person();
    await add(caller, passkeyDevice(home));
    expect(await listFactors(world.kernel.db, caller.user_id)).toEqual([]);
  });

  test('cannot be removed by another user or when it is the only sign-in method', async () => {
    const caller = await person();
    const passkey = (await add(caller, passkeyDevice(home))).body.data;
    expect(code(await removal(caller, passkey.id))).toEqual([409, 1164]);
    const stranger = await person();
    expect(code(await removal(stranger, passkey.id))).toEqual([404, 1149]);
    await world.kernel.db.run(sql`update logins set password_hash = 'x' where id = ${caller.user_id}`);
    expect((await removal(caller, passkey.id)).status).toBe(204);
  });

  test('reveals that its user is blocked only after a valid response', async () => {
    const caller = await person();
    const device = passkeyDevice(home);
    await add(caller, device);
    await world.kernel.db.run(sql`update users set blocked = true where id = ${caller.user_id}`);
    expect(code(await signIn(device, { user_verified: false }))).toEqual([400, 1150]);
    expect(code(await signIn(device))).toEqual([403, 1135]);
  });
});

describe('a challenge', () => {
  test('accepts only one of 32 concurrent responses', async () => {
    const caller = await person();
    const device = passkeyDevice(home);
    await add(caller, device);
    const { id, options } = await beginSignIn();
    const credential = device.answer(options);
    const replies = await Promise.all(
      Array.from({ length: 32 }, () => world.as().post('/v1/passkey_sign_ins', { challenge_id: id, credential })),
    );
    expect(replies.filter(({ status }) => status === 200).length).toBe(1);
    expect(replies.filter(({ status }) => status === 400).length).toBe(31);
  });

  test('works only once, for five minutes, and for one purpose and one user', async () => {
    const caller = await person();
    const device = passkeyDevice(home);
    await add(caller, device);
    const send = (id: string, credential: object) =>
      world.as().post('/v1/passkey_sign_ins', { challenge_id: id, credential });

    const challenge = await beginSignIn();
    expect(
      code(await send(challenge.id, device.answer(challenge.options, { origin: 'https://evil.example' }))),
    ).toEqual([400, 1150]);
    expect(code(await send(challenge.id, device.answer(challenge.options)))).toEqual([400, 1150]);

    const expiredChallenge = await beginSignIn();
    clock.advance(5 * 60_000 + 1);
    expect(code(await send(expiredChallenge.id, device.answer(expiredChallenge.options)))).toEqual([400, 1150]);

    const [ownChallenge, stranger] = [await begin(caller), await person()];
    const other = passkeyDevice(home);
    const body = { challenge_id: ownChallenge.id, name: 'X', credential: other.register(ownChallenge.options) };
    expect(code(await stranger.as.post('/v1/users/self/passkeys', body))).toEqual([400, 1150]);
    expect(code(await send(ownChallenge.id, device.answer(ownChallenge.options)))).toEqual([400, 1150]);
    expect((await caller.as.post('/v1/users/self/passkeys', body)).status).toBe(201);
  });
});

describe('a passkey response', () => {
  const forgeries: [string, Parameters<Device['answer']>[1]][] = [
    ['it was created for another website', { origin: 'https://evil.example' }],
    ['it was created for another hostname', { rp_id: 'evil.example' }],
    ['the device has not verified its user', { user_verified: false }],
  ];
  test.each(forgeries)('is rejected when %s', async (_, about) => {
    const caller = await person();
    const device = passkeyDevice(home);
    const { id, options } = await begin(caller);
    const body = { challenge_id: id, name: 'X', credential: device.register(options, about) };
    expect(code(await caller.as.post('/v1/users/self/passkeys', body))).toEqual([400, 1150]);
    await add(caller, device);
    expect(code(await signIn(device, about))).toEqual([400, 1150]);
    expect((await signIn(device)).status).toBe(200);
  });

  test('is rejected when its key is unknown, already registered, or a copy with an old counter', async () => {
    const [caller, stranger] = [await person(), await person()];
    const device = passkeyDevice(home);
    expect(code(await signIn(device))).toEqual([400, 1150]);
    await add(caller, device);
    expect(code(await add(stranger, device))).toEqual([400, 1150]);
    device.counter = 10;
    expect((await signIn(device)).status).toBe(200);
    device.counter = 5;
    expect(code(await signIn(device))).toEqual([400, 1150]);
    expect((await caller.as.get('/v1/users/self/passkeys')).body.data.length).toBe(1);
  });

  test('is rejected when the credential is malformed', async () => {
    for (const credential of [
      {},
      { id: 1 },
      { id: 'x', response: null },
      { id: 'x', rawId: 'x', type: 'public-key' },
    ]) {
      const { id } = await beginSignIn();
      expect(code(await world.as().post('/v1/passkey_sign_ins', { challenge_id: id, credential }))).toEqual([
        400, 1150,
      ]);
      const caller = await person();
      const ownChallenge = await begin(caller);
      const body = { challenge_id: ownChallenge.id, name: 'X', credential };
      expect(code(await caller.as.post('/v1/users/self/passkeys', body))).toEqual([400, 1150]);
    }
  });
});

test('the admin view shares passkeys with the app on a subdomain and has its own on another domain', () => {
  const onSubdomain = relyingParties({ PUBLIC_URL: 'https://p.example', ADMIN_URL: 'https://admin.p.example' });
  expect(onSubdomain).toMatchObject({ ids: ['p.example'], origins: ['https://p.example', 'https://admin.p.example'] });
  expect(onSubdomain.idFor('https://admin.p.example')).toBe('p.example');
  const local = relyingParties({ PUBLIC_URL: 'http://localhost:4000', ADMIN_URL: 'http://admin.localhost:4000' });
  expect(local.idFor('http://admin.localhost:4000')).toBe('admin.localhost');
  const onOtherDomain = relyingParties({ PUBLIC_URL: 'https://p.example', ADMIN_URL: 'https://admin-p.example' });
  expect(onOtherDomain.ids).toEqual(['p.example', 'admin-p.example']);
  expect([
    onOtherDomain.idFor('https://admin-p.example'),
    onOtherDomain.idFor('https://p.example'),
    onOtherDomain.idFor(undefined),
  ]).toEqual(['admin-p.example', 'p.example', 'p.example']);
});

/** Tests authenticators from setup to removal, and that each code is accepted only once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { hashPassword } from '../auth.ts';
import { checkSecondFactor, listFactors } from './factors.ts';
import { stepAt, totpCode } from './totp.ts';

const PASSWORD = 'Right-password-1';
const clock = heldClock(new Date());
let world: World;
let company: Company;
let password_hash: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  company = await makeCompany(world.kernel);
  password_hash = await hashPassword(PASSWORD);
});
afterAll(() => world?.stop());

const code = ({ status, body }: Reply): [number, number] => [status, body.errors[0].code];
const currentCode = (secret: string, offset = 0) => totpCode(secret, stepAt(clock.now()) + offset);
const mails = (user_id: string) =>
  world.kernel.db.rows<{ subject: string }>(
    sql`select subject from mails where recipient = ${`${user_id}@test.localhost`} order by create_date, id`,
  );
const acts = (account_id: string, user_id: string) =>
  world.kernel.db.rows<{ action: string }>(
    sql`select action from audit_log where account_id = ${account_id} and target_id = ${user_id} order by number`,
  );

async function person(account_id = company.account_id) {
  const user = await makeUser(world.kernel, account_id, { permissions: { AUDIENCES: 1 } });
  await world.kernel.db.run(sql`
    update logins set password_hash = ${password_hash}, totp_secret = null, totp_date = null
    where id = ${user.user_id}`);
  await world.kernel.db.run(sql`update sessions set second_factor = false where login_id = ${user.user_id}`);
  return { ...user, as: world.as(user.token) };
}
async function withTotp(account_id = company.account_id) {
  const user = await person(account_id);
  const { secret } = (await user.as.post('/v1/users/self/totp', { current_password: PASSWORD })).body.data;
  const confirmed = await user.as.put('/v1/users/self/totp', { code: currentCode(secret, -1) });
  return { ...user, secret: secret as string, recovery_codes: confirmed.body.data.recovery_codes as string[] };
}
const check = (login_id: string, method: 'totp' | 'recovery_code', code: string) =>
  world.kernel.db.tx((tx) => checkSecondFactor(tx, world.kernel, login_id, method, code));

describe('setting up an authenticator', () => {
  test('requires the password and a code, and returns ten recovery codes only once', async () => {
    const { as, user_id, token } = await person();
    const setup = await as.post('/v1/users/self/totp', { current_password: PASSWORD });
    expect(setup.status).toBe(201);
    const { secret, uri } = setup.body.data;
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect((await as.get('/v1/users/self/second_factors')).body.data).toMatchObject({
      totp: false,
      has_password: true,
    });
    expect(code(await as.put('/v1/users/self/totp', { code: totpCode(secret, 1) }))).toEqual([400, 1147]);
    const confirmed = await as.put('/v1/users/self/totp', { code: currentCode(secret) });
    expect(confirmed.status).toBe(200);
    const codes: string[] = confirmed.body.data.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    // 128 bits in groups of four letters.
    for (const recoveryCode of codes) expect(recoveryCode).toMatch(/^(?:[a-z2-7]{4}-){6}[a-z2-7]{2}$/);
    expect((await as.get('/v1/users/self/second_factors')).body.data).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
      passkeys: 0,
      required: false,
    });
    expect(code(await as.post('/v1/users/self/totp', { current_password: PASSWORD }))).toEqual([409, 1148]);
    // Neither the secret nor a code is stored in plain text.
    const stored = await world.kernel.db.one<{ text: string }>(sql`
      select (select to_jsonb(l)::text from logins l where id = ${user_id}) ||
             (select jsonb_agg(to_jsonb(r))::text from recovery_codes r where login_id = ${user_id}) ||
             (select jsonb_agg(to_jsonb(s))::text from sessions s where login_id = ${user_id}) as text`);
    for (const hidden of [secret, ...codes]) expect(stored.text).not.toContain(hidden);
    const session = await world.kernel.db.one<{ second_factor: boolean }>(
      sql`select second_factor from sessions where login_id = ${user_id}`,
    );
    expect(session.second_factor).toBe(true);
    expect(await mails(user_id)).toEqual([{ subject: 'An authenticator now protects your sign-in' }]);
    expect(await acts(company.account_id, user_id)).toEqual([{ action: 'totp.added' }]);
    expect((await world.as(token).get('/v1/audiences')).status).toBe(200);
  });

  test('uses the same secret in a second tab, expires, and cannot be completed by another user', async () => {
    const { as } = await person();
    const first = (await as.post('/v1/users/self/totp', { current_password: PASSWORD })).body.data.secret;
    const second = (await as.post('/v1/users/self/totp', { current_password: PASSWORD })).body.data.secret;
    expect(second).toBe(first);
    clock.advance(16 * 60_000);
    expect(code(await as.put('/v1/users/self/totp', { code: currentCode(first) }))).toEqual([410, 1140]);
    const third = (await as.post('/v1/users/self/totp', { current_password: PASSWORD })).body.data.secret;
    expect(third).not.toBe(first);
    const other = await person();
    expect(code(await other.as.put('/v1/users/self/totp', { code: currentCode(third) }))).toEqual([410, 1140]);
  });

  test('requires the password if one is set, with the same lockout as sign-in', async () => {
    const { as, user_id } = await person();
    const tryWrongPassword = () => as.post('/v1/users/self/totp', { current_password: 'Wrong-password-1' });
    expect(code(await as.post('/v1/users/self/totp', {}))).toEqual([400, 1126]);
    const codes: number[] = [];
    for (let count = 0; count < 6; count++) codes.push(code(await tryWrongPassword())[1]);
    expect(codes).toEqual([1126, 1126, 1126, 1126, 1126, 1121]);
    expect(code(await as.post('/v1/users/self/totp', { current_password: PASSWORD }))).toEqual([429, 1121]);
    await world.kernel.db.run(sql`update logins set password_hash = null where id = ${user_id}`);
    expect((await as.post('/v1/users/self/totp', {})).status).toBe(201);
  });
});

describe('the second-factor check', () => {
  test('accepts an authenticator code in only one of 32 concurrent attempts', async () => {
    const { user_id, secret } = await withTotp();
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, () => check(user_id, 'totp', currentCode(secret))),
    );
    expect(results.filter((end) => end.status === 'fulfilled' && end.value).length).toBe(1);
    expect(await listFactors(world.kernel.db, user_id)).toEqual(['totp', 'recovery_code']);
  });

  test('accepts a recovery code in only one of 32 concurrent attempts and emails the person', async () => {
    const { user_id, recovery_codes } = await withTotp();
    const code = recovery_codes[3]!.toUpperCase().replaceAll('-', ' ');
    const results = await Promise.allSettled(Array.from({ length: 32 }, () => check(user_id, 'recovery_code', code)));
    expect(results.filter((end) => end.status === 'fulfilled' && end.value).length).toBe(1);
    expect((await mails(user_id)).filter(({ subject }) => subject === 'A recovery code was used').length).toBe(1);
    expect((await acts(company.account_id, user_id)).map(({ action }) => action)).toEqual([
      'totp.added',
      'recovery_code.used',
    ]);
  });

  test('is paused briefly after five wrong codes', async () => {
    const { user_id, secret } = await withTotp();
    for (let count = 0; count < 5; count++) expect(await check(user_id, 'totp', totpCode(secret, count))).toBe(false);
    await expect(check(user_id, 'totp', currentCode(secret))).rejects.toMatchObject({
      name: 'SIGN_IN_ATTEMPTS_EXCEEDED',
    });
    clock.advance(3_000);
    expect(await check(user_id, 'totp', currentCode(secret, 1))).toBe(true);
    expect(await check(user_id, 'totp', currentCode(secret, 1))).toBe(false);
  });
});

describe('recovery codes', () => {
  test('are replaced after the password is entered, and the old codes stop working', async () => {
    const { as, user_id, recovery_codes } = await withTotp();
    expect(code(await as.post('/v1/users/self/recovery_codes', {}))).toEqual([400, 1126]);
    const newCodes = await as.post('/v1/users/self/recovery_codes', { current_password: PASSWORD });
    expect([newCodes.status, newCodes.body.data.recovery_codes.length]).toEqual([201, 10]);
    expect(await check(user_id, 'recovery_code', recovery_codes[0]!)).toBe(false);
    expect(await check(user_id, 'recovery_code', newCodes.body.data.recovery_codes[0])).toBe(true);
  });

  test('cannot be generated without another factor', async () => {
    const { as } = await person();
    expect(code(await as.post('/v1/users/self/recovery_codes', { current_password: PASSWORD }))).toEqual([403, 1144]);
  });
});

describe('removing an authenticator', () => {
  test('requires the password and a code, and counts wrong codes', async () => {
    const { as, user_id, secret, recovery_codes } = await withTotp();
    const remove = (code: string) => as.post('/v1/users/self/totp_removals', { current_password: PASSWORD, code });
    expect(code(await as.post('/v1/users/self/totp_removals', { code: currentCode(secret) }))).toEqual([400, 1126]);
    expect(code(await remove('000000'))).toEqual([400, 1147]);
    const attempts = await world.kernel.db.one<{ failures: number }>(
      sql`select failures from sign_in_attempts where subject = ${`factor ${user_id}`}`,
    );
    expect(attempts.failures).toBe(1);
    expect((await remove(recovery_codes[0]!)).status).toBe(204);
    expect(await listFactors(world.kernel.db, user_id)).toEqual([]);
    expect((await as.get('/v1/users/self/second_factors')).body.data).toMatchObject({
      totp: false,
      recovery_codes_left: 0,
    });
    expect((await acts(company.account_id, user_id)).at(-1)).toEqual({ action: 'totp.removed' });
  });
});

describe('required two-factor authentication', () => {
  test('rejects users without a factor and does not let them remove their last one', async () => {
    const strict = await makeCompany(world.kernel);
    const { as, user_id } = await person(strict.account_id);
    expect((await as.get('/v1/audiences')).status).toBe(200);
    await world.kernel.db.run(sql`update accounts set second_factor_required = true where id = ${strict.account_id}`);
    expect(code(await as.get('/v1/audiences'))).toEqual([403, 1144]);
    expect((await as.get('/v1/users/self/second_factors')).body.data).toMatchObject({ required: true });
    const { secret } = (await as.post('/v1/users/self/totp', { current_password: PASSWORD })).body.data;
    expect((await as.put('/v1/users/self/totp', { code: currentCode(secret) })).status).toBe(200);
    expect((await as.get('/v1/audiences')).status).toBe(200);
    clock.advance(30_000);
    const removal = await as.post('/v1/users/self/totp_removals', {
      current_password: PASSWORD,
      code: currentCode(secret),
    });
    expect(code(removal)).toEqual([403, 1144]);
    expect(await check(user_id, 'totp', currentCode(secret))).toBe(true);
  });

  test('always applies to operators', async () => {
    const operators = await makeCompany(world.kernel, { operator: true });
    const { as } = await person(operators.account_id);
    expect(code(await as.get('/v1/audiences'))).toEqual([403, 1144]);
  });

  test('does not apply to API keys', async () => {
    const strict = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`update accounts set second_factor_required = true where id = ${strict.account_id}`);
    const { makeKey } = await import('../../test/make.ts');
    expect((await world.as({ key: await makeKey(world.kernel, strict.account_id) }).get('/v1/audiences')).status).toBe(
      200,
    );
  });
});

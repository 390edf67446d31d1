import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { hashPassword } from './auth.ts';

let world: World;
let company: Company;
const email = 'dana@company.localhost';
const password = 'Right-password-1';

// Freezes the clock while set, because a slow machine may take longer than a pause of a few seconds.
let stopped_at: Date | null = null;
const clock = { now: () => stopped_at ?? new Date() };

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  company = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`
    with l as (update logins set email = ${email}, password_hash = ${await hashPassword(password)}
    where id = ${company.user_id})
    update users set email = ${email} where account_id = ${company.account_id} and id = ${company.user_id}`);
});
afterAll(() => world.stop());

const signIn = (who: string, secret: string) =>
  world.as().raw('/v1/users/self/token', {
    headers: { authorization: `Basic ${Buffer.from(`${who}:${secret}`).toString('base64')}` },
  });

describe('signing in', () => {
  it('returns a token that is valid until sign-out', async () => {
    const { status, body, headers } = await signIn(email.toUpperCase(), password);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('www-authenticate')).toBeNull();
    const caller = world.as(body.data.access_token);
    expect((await caller.get('/v1/users/self')).body.data.email).toBe(email);
    expect((await caller.delete('/v1/users/self/token')).status).toBe(204);
    expect((await caller.get('/v1/users/self')).status).toBe(401);
  });

  it('stores only the hash of the token', async () => {
    const { body } = await signIn(email, password);
    const rows = await world.kernel.db.rows<{ text: string }>(sql`select to_jsonb(s)::text as text from sessions s`);
    for (const { text } of rows) expect(text).not.toContain(body.data.access_token);
  });

  it('returns the same response for a wrong password and an unknown email address', async () => {
    const rejected = await signIn(email, 'Wrong-password-1');
    const unknown = await signIn('nobody@company.localhost', password);
    expect(rejected.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(rejected.body.errors[0].message).toBe(unknown.body.errors[0].message);
    expect(rejected.body.errors[0].code).toBe(1120);
  });

  it('is paused after five failures, whether or not the email address belongs to a user', async () => {
    stopped_at = new Date();
    for (const who of ['victim@company.localhost', 'ghost@company.localhost']) {
      const codes: number[] = [];
      for (let count = 0; count < 6; count++) codes.push((await signIn(who, 'Nope-12345')).body.errors[0].code);
      expect(codes).toEqual([1120, 1120, 1120, 1120, 1120, 1121]);
    }
    const limited = await signIn('victim@company.localhost', 'Nope-12345');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const { longest } = await world.kernel.db.one<{ longest: number }>(sql`
      select max(extract(epoch from blocked_until - ${stopped_at}::timestamptz))::int as longest
      from sign_in_attempts`);
    expect(longest).toBeLessThanOrEqual(900);
    // The network itself is not paused, so another user can still sign in.
    expect((await signIn(email, password)).status).toBe(200);
    stopped_at = new Date(stopped_at.getTime() + longest * 1_000 + 1_000);
    expect((await signIn('victim@company.localhost', 'Nope-12345')).body.errors[0].code).toBe(1120);
    stopped_at = null;
  });

  it('reveals that the user is blocked only when the password is correct', async () => {
    await world.kernel.db.run(sql`
      update users set blocked = true where account_id = ${company.account_id} and id = ${company.user_id}`);
    const success = await signIn(email, password);
    expect([success.status, success.body.errors[0].code]).toEqual([403, 1135]);
    const rejection = await signIn(email, 'Wrong-password-1');
    expect([rejection.status, rejection.body.errors[0].code]).toEqual([401, 1120]);
    await world.kernel.db.run(sql`
      update users set blocked = false where account_id = ${company.account_id} and id = ${company.user_id}`);
  });

  it('rejects malformed credentials', async () => {
    for (const authorization of [
      '',
      'Basic',
      'Basic !!!',
      'Basic bm9jb2xvbg==',
      `Basic ${btoa('a\0:b')}`,
      'Bearer x',
    ]) {
      const { status } = await world.as().raw('/v1/users/self/token', { headers: { authorization } });
      expect(status).toBe(401);
    }
  });
});

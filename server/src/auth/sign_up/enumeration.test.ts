import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { hashPassword } from '../passwords/passwords.ts';

const clock = heldClock(new Date());
let world: World;
let count = 0;
beforeAll(async () => {
  world = await createWorld({ clock });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.kernel.db.run(sql`delete from code_sends`);
  await world.kernel.db.run(sql`delete from sign_in_attempts`);
});

const STRANGERS_PASSWORD = 'Tangled-teapot-7';
const newEmail = () => `enumerated${++count}@codes.localhost`;

/** All calls that take only an email address and that a stranger can make. */
const CALLS: Record<string, (email: string) => Promise<Reply>> = {
  sign_up: (email) =>
    world.as().post('/v1/users', {
      ...{ email, password: STRANGERS_PASSWORD, first_name: 'Iris', last_name: 'Vance' },
      ...{ company_name: `Vance ${newId()}`, country_code: 'GB', terms: true },
    }),
  sign_up_again: (email) =>
    world.as().post('/v1/users', {
      ...{ email, password: 'Another-teapot-8', first_name: 'Iris', last_name: 'Vance' },
      ...{ company_name: `Vance ${newId()}`, country_code: 'GB', terms: true },
    }),
  password_reset: (email) => world.as().post('/v1/password_resets', { email }),
  code: (email) => world.as().post('/v1/email_verifications', { email }),
  sign_in: (email) =>
    world.as().raw('/v1/users/self/token', {
      headers: { authorization: `Basic ${Buffer.from(`${email}:${STRANGERS_PASSWORD}`).toString('base64')}` },
    }),
};

const ADDRESSES: Record<string, () => Promise<string>> = {
  unknown: async () => newEmail(),
  'signed up': async () => {
    const email = newEmail();
    await CALLS.sign_up_again!(email);
    await world.kernel.db.run(sql`delete from code_sends where target = ${email}`);
    await world.kernel.db.run(sql`delete from sign_up_passwords where email = ${email}`);
    await world.kernel.db.run(sql`delete from verifications where target = ${email}`);
    return email;
  },
  confirmed: async () => {
    const { user_id } = await makeCompany(world.kernel);
    const email = newEmail();
    await world.kernel.db.run(sql`
      with l as (
        update logins set email = ${email}, password_hash = ${await hashPassword('Owners-kettle-9')}
        where id = ${user_id})
      update users set email = ${email} where id = ${user_id}`);
    return email;
  },
};

/**
 * Makes the calls and describes everything that a stranger sees. Each id is replaced by the position at which it first
 * appeared, so that two traces are equal if the same calls return the same ids.
 */
async function trace(email: string, calls: readonly string[], pause: number): Promise<unknown[]> {
  const ids: string[] = [];
  const seen: unknown[] = [];
  const note = ({ status, body }: Reply) => {
    const data = body?.data ?? null;
    const id = data?.verification_id ?? data?.id ?? null;
    if (id && !ids.includes(id)) ids.push(id);
    const now = clock.now().getTime();
    const seconds = (date: string | null | undefined) => (date ? (Date.parse(date) - now) / 1_000 : null);
    seen.push([
      ...[status, body?.errors?.[0].code ?? null, id && ids.indexOf(id), data && Object.keys(data).sort()],
      ...[data?.next ?? null, data?.methods ?? null, seconds(data?.expire_date), seconds(data?.resend_date)],
    ]);
  };
  for (const call of calls) {
    note(await CALLS[call]!(email));
    for (const id of [...ids]) note(await world.as().put(`/v1/email_verifications/${id}`, { code: '000000' }));
    clock.advance(pause);
  }
  return seen;
}

const NAMES = Object.keys(CALLS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));

describe('an address', () => {
  it.each([
    ['at once', 0],
    ['after the cooldown', 121_000],
  ])('looks the same to strangers in every pair of calls, %s, whether or not it has a user', async (_, pause) => {
    for (const calls of PAIRS) {
      await world.kernel.db.run(sql`delete from sign_in_attempts`);
      const unknown = await trace(await ADDRESSES.unknown!(), calls, pause);
      for (const kind of ['signed up', 'confirmed'])
        expect([calls, kind, await trace(await ADDRESSES[kind]!(), calls, pause)]).toEqual([calls, kind, unknown]);
    }
  });

  it('looks the same to strangers in three calls that end with a sign-up, whether or not it has a user', async () => {
    const first = ['sign_up', 'password_reset', 'code'];
    for (const calls of first.flatMap((one) => first.map((two) => [one, two, 'sign_up']))) {
      const unknown = await trace(await ADDRESSES.unknown!(), calls, 31_000);
      for (const kind of ['signed up', 'confirmed'])
        expect([calls, kind, await trace(await ADDRESSES[kind]!(), calls, 31_000)]).toEqual([calls, kind, unknown]);
    }
  });
});

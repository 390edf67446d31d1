import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { mailTo, textTo } from '../test/mailbox.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type Reply, type World } from '../test/world.ts';

const clock = heldClock(new Date());
const HOUR = 3_600_000;
const [RANGE, COUNTRY, ADDRESS, DAY] = [4, 12, 25, 30];
let world: World;
let operators: Company;
let owner: Company;
let next = 0;

beforeAll(async () => {
  world = await createWorld({
    clock,
    settings: {
      PHONE_CODES_RANGE_STOP: String(RANGE),
      PHONE_CODES_COUNTRY_STOP: String(COUNTRY),
      PHONE_CODES_GROWTH: '2',
      PHONE_CODES_PERSON_HOUR: '100',
      PHONE_CODES_PERSON_DAY: '100',
      PHONE_CODES_ADDRESS_HOUR: String(ADDRESS),
      PHONE_CODES_COUNTRY_DAY: String(DAY),
    },
  });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  operators = await makeCompany(world.kernel, { operator: true });
  await makeSender(world.kernel, operators.account_id, { code: '447700900999' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.kernel.db.run(sql`delete from code_sends`);
  await world.kernel.db.run(sql`delete from code_stops`);
  owner = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${owner.user_id}`);
});

const codes = (reply: Reply): unknown => reply.body?.errors?.[0].code ?? reply.status;
const requestCode = async (phone_number: string) =>
  world.as(owner.token).post('/v1/phone_verifications', { phone_number: `+${phone_number}` });
/** Returns the next number in a range. A range is a number without its last six digits. */
const nextNumber = (range: string) => `${range}${String(++next).padStart(6, '0')}`;
const askIn = async (range: string) => codes(await requestCode(nextNumber(range)));
const desk = () => world.as(operators.token);
const stops = async () => (await desk().get('/v1/code_stops')).body.data;
const check = async () =>
  (await desk().get('/v1/health')).body.data.checks.find(({ name }: { name: string }) => name === 'codes');
const sentBefore = (column: 'range' | 'country' | 'address', value: string, count: number, ago_ms: number) =>
  world.kernel.db.run(sql`
    insert into code_sends (id, channel, target, network, range, country, address, create_date)
    select gen_random_uuid(), 'sms', 'somebody' || n, 'elsewhere', ${column === 'range' ? value : null},
           ${column === 'country' ? value : null},
           ${column === 'address' ? value : null}, ${new Date(clock.now().getTime() - ago_ms)}
           from generate_series(1, ${count}::int) n`);

describe('unused codes', () => {
  it('block codes to their number range when they surge, until a notified operator allows them again', async () => {
    const agent = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 1 } });
    // A used code does not count.
    const phone = nextNumber('447400');
    const { id } = (await requestCode(phone)).body.data;
    const code = (await textTo(world.kernel, phone)).text.slice(0, 6);
    expect((await world.as(owner.token).put(`/v1/phone_verifications/${id}`, { code })).status).toBe(204);
    await world.kernel.db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${owner.user_id}`);
    for (let count = 1; count < RANGE; count++) expect(await askIn('447400')).toBe(201);
    expect(await check()).toMatchObject({ status: 'good', value: 'No restrictions' });
    expect(await stops()).toEqual([]);
    expect(await askIn('447400')).toBe(201);
    expect(await askIn('447400')).toBe(1801);
    expect(await askIn('447500')).toBe(201);

    const openStops = await stops();
    expect(openStops).toEqual([
      expect.objectContaining({ kind: 'range', place: '447400', country: 'GB', sends: RANGE, usual: 0 }),
    ]);
    expect(await check()).toMatchObject({ status: 'warning', value: '1 code stop' });
    const mail = await mailTo(world.kernel, `${operators.user_id}@test.localhost`);
    expect(mail.subject).toBe('Verification codes to +447400…, United Kingdom were stopped');
    expect(mail.text).toContain('http://admin.localhost');
    const readers = await world.kernel.db.rows(sql`
      select 1 from mails m join users u on u.email = m.recipient where u.id = ${agent.user_id}`);
    expect(readers).toEqual([]);

    const path = `/v1/code_stops/${openStops[0].id}`;
    expect(codes(await world.as(agent.token).delete(path))).toBe(1136);
    expect((await desk().delete(path)).status).toBe(204);
    expect(codes(await desk().delete(path))).toBe(1168);
    expect(await stops()).toEqual([]);
    const log = await world.kernel.db.rows(sql`
      select action, target_name, user_id from audit_log where account_id = ${operators.account_id}
      and action like 'phone_codes%' order by number`);
    expect(log).toEqual([
      { action: 'phone_codes.stopped', target_name: '+447400…, United Kingdom', user_id: null },
      { action: 'phone_codes.allowed', target_name: '+447400…, United Kingdom', user_id: operators.user_id },
    ]);
    // Earlier codes no longer count.
    clock.advance(1_000);
    for (let count = 0; count < RANGE; count++) expect(await askIn('447400')).toBe(201);
    expect(await askIn('447400')).toBe(1801);
  });

  it('are compared with the busiest hour of the previous week', async () => {
    await sentBefore('range', '447400', 3, 50 * HOUR);
    await sentBefore('range', '447400', 2, 3 * HOUR);
    await sentBefore('range', '447400', 90, 8 * 24 * HOUR);
    for (let count = 0; count < 6; count++) expect(await askIn('447400')).toBe(201);
    expect(await askIn('447400')).toBe(1801);
    expect(await stops()).toMatchObject([{ place: '447400', sends: 6, usual: 3 }]);
  });

  it('block codes to a country when they are spread across its ranges, even with concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: COUNTRY + 5 }, (_, index) => askIn(`4474${10 + index}`)));
    expect(all.filter((code) => code === 201).length).toBe(COUNTRY);
    expect(all.filter((code) => code === 1801).length).toBe(5);
    expect(await stops()).toMatchObject([{ kind: 'country', place: 'GB', country: 'GB', sends: COUNTRY }]);
    expect(codes(await requestCode('33612345678'))).toBe(201);
  });
});

describe('code limits', () => {
  it('apply per IP address', async () => {
    await sentBefore('address', '127.0.0.1', ADDRESS - 1, 1_000);
    expect([await askIn('447400'), await askIn('447400')]).toEqual([201, 1801]);
  });

  it('apply per country and day', async () => {
    await sentBefore('country', 'GB', DAY - 1, 2 * HOUR);
    expect([await askIn('447400'), await askIn('447400')]).toEqual([201, 1801]);
    expect(codes(await requestCode('33612345678'))).toBe(201);
  });
});

it('codes are sent only to the configured countries, and sign-up rejects other numbers immediately', async () => {
  const number = '2348021234567';
  expect(codes(await requestCode(number))).toBe(1803);
  const form = {
    email: 'nora@stops.localhost',
    password: 'Tangled-teapot-7',
    first_name: 'Nora',
    last_name: 'Lind',
    company_name: 'Nora and sons',
    country_code: 'NG',
    terms: true,
  };
  const reply = await world.as().post('/v1/users', { ...form, phone_number: `+${number}` });
  expect(reply.body.errors[0]).toMatchObject({ code: 1803, field: 'phone_number' });
  expect((await world.as().post('/v1/users', form)).status).toBe(201);
});

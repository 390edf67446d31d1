import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld } from '../../test/payments.ts';
import { midMonthClock, type Reply, until } from '../../test/world.ts';
import { charge, credit } from '../billing.ts';
import { checkBalance } from './low_balance.ts';

let folder: string;
let world: PaymentWorld;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-top-up-'));
  world = await createPaymentWorld(folder, { clock: midMonthClock() });
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const code = (reply: Reply) => reply.body.errors[0]!.code;

async function makeCustomer(number: string = CARDS.ok) {
  const company = await makeCompany(world.kernel, { balance_micros: 100_000_000 });
  const { account_id } = company;
  const caller = world.as(company.token);
  const setup = (await caller.get('/v1/setup_intents')).body.data;
  await world.browser.confirm(setup.client_secret, { number });
  const card = (await caller.post('/v1/payment_methods', { setup_intent: setup.id })).body.data;
  await world.kernel.db.run(sql`
    insert into payment_sources (account_id, fingerprint)
    select account_id, fingerprint from payment_methods where account_id = ${account_id}`);
  const settings = {
    enabled: true,
    threshold_micros: 50_000_000,
    amount_micros: 30_000_000,
    payment_method_id: card.id,
    daily_limit: 3,
    monthly_limit_micros: 300_000_000,
  };
  const save = (change: object = {}) => caller.put(`/v1/balances/${account_id}`, { ...settings, ...change });
  const state = async () => (await caller.get(`/v1/balances/${account_id}/auto_top_up`)).body.data;
  const payments = () =>
    world.kernel.db.rows<{ status: string; amount_micros: number }>(
      sql`select status, amount_micros from payments where account_id = ${account_id} order by id`,
    );
  const spend = (amount_micros: number, key: string) =>
    world.kernel.db.tx((tx) => charge(tx, { account_id, amount_micros, key, note: 'Spent in this test' }));
  const available = async () =>
    (
      await world.kernel.db.one<{ available_micros: number }>(
        sql`select available_micros from balances where account_id = ${account_id}`,
      )
    ).available_micros;
  return { ...company, caller, save, state, payments, spend, available, card };
}

test('one crossing of the threshold leads to one charge, however many messages cross it at once', async () => {
  const { account_id, save, payments, spend, available } = await makeCustomer();
  expect((await save()).status).toBe(200);
  await Promise.all(Array.from({ length: 8 }, (_, index) => spend(7_000_000, `spend-${index}`)));
  await Promise.all([1, 2, 3].map(() => checkBalance(world.kernel, account_id)));
  await until('the top-up is booked', async () => (await payments()).some(({ status }) => status === 'PAID'));
  await checkBalance(world.kernel, account_id);
  expect(await payments()).toEqual([{ status: 'PAID', amount_micros: 30_000_000 }]);
  expect(await available()).toBe(74_000_000);
  await spend(30_000_000, 'again');
  await checkBalance(world.kernel, account_id);
  expect(await payments()).toHaveLength(1);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a top-up that a crash interrupted is continued with the same payment', async () => {
  const { account_id, save, payments, spend } = await makeCustomer();
  await save({ enabled: false });
  await spend(60_000_000, 'spend');
  await world.kernel.db.run(sql`
    update auto_top_ups set enabled = true, update_date = now() - interval '1 minute'
    where account_id = ${account_id}`);
  await world.kernel.db.run(sql`
    insert into payments (account_id, id, type, status, currency, amount_micros, method_id)
    select ${account_id}, gen_random_uuid(), 'Auto Top Up', 'PENDING', 'USD', 30000000, method_id
    from auto_top_ups where account_id = ${account_id}`);
  await Promise.all([checkBalance(world.kernel, account_id), checkBalance(world.kernel, account_id)]);
  expect(await payments()).toEqual([{ status: 'PAID', amount_micros: 30_000_000 }]);
});

test('automatic top-up stops at the first declined card, and saving the settings starts it again', async () => {
  const { account_id, save, state, payments, spend, caller, card } = await makeCustomer(CARDS.refusedLater);
  await save();
  await spend(60_000_000, 'spend');
  await until('the top-up has stopped', async () => (await state()).stop_reason === 'card_refused');
  await checkBalance(world.kernel, account_id);
  expect((await payments()).map(({ status }) => status)).toEqual(['FAILED']);
  const mail = await world.kernel.db.rows<{ subject: string }>(
    sql`select subject from mails where account_id = ${account_id} and subject like '%has stopped'`,
  );
  expect(mail).toHaveLength(1);
  expect(code(await caller.delete(`/v1/payment_methods/${card.id}`))).toBe(2047);
  expect((await save({ enabled: false })).body.data.stop_reason).toBeNull();
});

test('the limits per day and month prevent more charges, and an email says so', async () => {
  const { account_id, save, payments, spend, state } = await makeCustomer();
  await save({ daily_limit: 1, monthly_limit_micros: 30_000_000 });
  await spend(60_000_000, 'spend');
  await until('the top-up is booked', async () => (await payments()).some(({ status }) => status === 'PAID'));
  await world.kernel.db.run(sql`
    update payments set create_date = create_date - interval '11 minutes' where account_id = ${account_id};`);
  await world.kernel.db.run(sql`
    update auto_top_ups set next_date = null, update_date = now() - interval '1 hour'
    where account_id = ${account_id}`);
  await spend(30_000_000, 'more');
  await checkBalance(world.kernel, account_id);
  expect(await payments()).toHaveLength(1);
  expect((await state()).next_date).not.toBeNull();
});

test('a top-up raises the balance to the target, by at least the minimum', async () => {
  const { account_id, save, payments, spend, available } = await makeCustomer();
  expect((await save({ target_micros: 120_000_000 })).body.data.target_micros).toBe(120_000_000);
  await spend(60_000_001, 'spend');
  await checkBalance(world.kernel, account_id);
  await until('the top-up is booked', async () => (await payments()).some(({ status }) => status === 'PAID'));
  expect(await payments()).toEqual([{ status: 'PAID', amount_micros: 80_010_000 }]);
  expect(await available()).toBe(120_009_999);
  expect(code(await save({ target_micros: 50_000_000 }))).toBe(2041);
  expect(code(await save({ target_micros: 120_000_001 }))).toBe(2041);
  expect(code(await save({ target_micros: 400_000_000 }))).toBe(2050);
});

test('unusual spending stops automatic top-up before a charge, and saving the settings continues it', async () => {
  const { account_id, save, state, payments, spend } = await makeCustomer();
  await save();
  const { clock } = world.kernel.db;
  const later = new Date(clock.now().getTime() + 1_000);
  await world.kernel.db.run(sql`
    insert into anomalies (account_id, id, metric, scope, value, direction, hour, observed, expected, sample, compared,
      latest_hour, latest, create_date)
    values (${account_id}, gen_random_uuid(), 'spend', 'country', 'GB', 'above', now(), 90000000, 1000000, 500, '[]',
      now(), 90000000, ${later})`);
  await spend(60_000_000, 'spend');
  await checkBalance(world.kernel, account_id);
  expect([(await state()).stop_reason, await payments()]).toEqual(['unusual_spending', []]);
  const mail = await world.kernel.db.rows<{ subject: string }>(
    sql`select subject from mails where account_id = ${account_id} and subject = 'Auto top-up has stopped'`,
  );
  expect(mail).toHaveLength(1);
  await world.kernel.db.run(sql`
    update anomalies set create_date = ${new Date(clock.now().getTime() - 60_000)} where account_id = ${account_id}`);
  await save();
  await checkBalance(world.kernel, account_id);
  await until('the top-up is booked', async () => (await payments()).some(({ status }) => status === 'PAID'));
});

test.each([
  ['a limit below the amount', { monthly_limit_micros: 27_000_000 }, 2050],
  ['an amount below the minimum', { amount_micros: 1_000_000 }, 2041],
  ['a negative threshold', { threshold_micros: -1 }, 2041],
  ['an unknown card', { payment_method_id: '0197a5f0-0000-7000-8000-000000000000' }, 2043],
])('settings with %s are refused', async (_, change, expected) => {
  const { save } = await makeCustomer();
  expect(code(await save(change))).toBe(expected);
});

test('a credit alert is sent once for each crossing', async () => {
  const { account_id, caller, spend } = await makeCustomer();
  const saved = await caller.post(`/v1/alerts/${account_id}`, {
    enabled: true,
    thresholds_micros: [50_000_000, 20_000_000],
    emails: ['finance@example.com'],
  });
  expect(saved.body.data).toMatchObject({ thresholds_micros: [50_000_000, 20_000_000] });
  const mails = async () =>
    (
      await world.kernel.db.rows<{ subject: string }>(sql`
        select subject from mails where account_id = ${account_id} and recipient = 'finance@example.com' order by id`)
    ).map(({ subject }) => subject);
  await until('the levels are set', async () => {
    const row = await world.kernel.db.one<{ level: number | null }>(
      sql`select watch_below_micros as level from balances where account_id = ${account_id}`,
    );
    return row.level === 50_000_000;
  });
  await spend(55_000_000, 'first');
  await until('an alert is sent', async () => (await mails()).length === 1);
  await spend(1_000_000, 'still below');
  await checkBalance(world.kernel, account_id);
  expect(await mails()).toEqual(['The balance is below $50.00']);
  await world.kernel.db.tx((tx) =>
    credit(tx, { account_id, amount_micros: 50_000_000, kind: 'bonus', key: 'refill', note: 'Test' }),
  );
  await checkBalance(world.kernel, account_id);
  await spend(90_000_000, 'second');
  await until('a second alert is sent', async () => (await mails()).length === 2);
  expect((await mails())[1]).toBe('The balance is below $20.00');
  const events = await world.kernel.db.rows(sql`
    select payload->>'threshold_micros' as threshold, payload->>'currency' as currency from events
    where account_id = ${account_id} and type = 'balance.low' order by id`);
  expect(events).toEqual([
    { threshold: '50000000', currency: 'USD' },
    { threshold: '20000000', currency: 'USD' },
  ]);
});

test('a credit alert is also sent as a text message to chosen users, at most once per hour', async () => {
  const operator = await makeCompany(world.kernel, { operator: true });
  await makeCarrier(world.kernel);
  await makeSender(world.kernel, operator.account_id);
  const { account_id, user_id, caller, spend } = await makeCustomer();
  const colleague = await makeUser(world.kernel, account_id);
  const stranger = await makeCompany(world.kernel);
  const setPhone = (id: string, number: string | null) =>
    world.kernel.db.run(sql`update logins set phone_number = ${number} where id = ${id}`);
  await setPhone(user_id, '447400100123');
  await setPhone(stranger.user_id, '447400100124');
  const alert = { enabled: true, thresholds_micros: [50_000_000], emails: ['finance@example.com'] };
  const save = (fields: object) => caller.post(`/v1/alerts/${account_id}`, { ...alert, ...fields });

  for (const id of [colleague.user_id, stranger.user_id, account_id])
    expect(code(await save({ phone_user_ids: [user_id, id] }))).toBe(2704);
  expect((await save({ phone_user_ids: [user_id, user_id] })).body.data).toMatchObject({
    phone_user_ids: [user_id],
    phone_users: [{ id: user_id, full_name: 'Test Person', phone_ending: '0123' }],
  });
  // A client that does not know the field keeps the users.
  expect((await save({})).body.data).toMatchObject({ phone_user_ids: [user_id] });

  const cross = async (amount_micros: number, key: string) => {
    await spend(amount_micros, key);
    await checkBalance(world.kernel, account_id);
    await world.kernel.db.tx((tx) =>
      credit(tx, { account_id, amount_micros, kind: 'bonus', key: `${key} back`, note: 'Test' }),
    );
    await checkBalance(world.kernel, account_id);
  };
  const texts = () =>
    world.kernel.db.rows<{ number: string; text: string }>(sql`
      select number, text from messages where account_id = ${operator.account_id} and direction = 'MT' order by id`);
  await cross(55_000_000, 'first');
  await until('a text message is sent', async () => (await texts()).length === 1);
  await cross(55_000_000, 'second');
  await world.kernel.db.run(sql`
    update alert_settings set text_date = text_date - interval '1 hour' where account_id = ${account_id}`);
  await cross(60_000_000, 'third');
  await until('the next text message is sent', async () => (await texts()).length === 2);
  const start = 'Parley: Your balance is below $50.00';
  expect(await texts()).toEqual([
    { number: '447400100123', text: `${start} ($45.00 left). Add funds: ${world.kernel.config.PUBLIC_URL}/add-funds` },
    { number: '447400100123', text: `${start} ($40.00 left). Add funds: ${world.kernel.config.PUBLIC_URL}/add-funds` },
  ]);

  await setPhone(user_id, null);
  expect((await caller.get(`/v1/alerts/${account_id}`)).body.data).toMatchObject({
    phone_user_ids: [],
    phone_users: [],
  });
});

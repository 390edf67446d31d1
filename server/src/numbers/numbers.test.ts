import { COOLING_DAYS, GRACE_DAYS } from '@parley/contract/numbers/numbers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credit } from '../billing/billing.ts';
import { heldClock, newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany, makeKey, makeUser } from '../test/make.ts';
import { makeNumber } from '../test/senders.ts';
import { createWorld, type Reply, type World } from '../test/world.ts';
import { renewNumbers } from './rentals.ts';

const DAY_MS = 86_400_000;
// January 31 comes before a shorter month, so the test can check that the renewal day returns to the 31st.
const clock = heldClock(new Date('2027-01-31T10:00:00Z'));
let world: World;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const buy = (company: Company, number: string, type = 'mobile', headers = {}) =>
  world.as(company.token).post('/v1/senders', { type, code: number }, headers);
// API keys, unlike sessions, do not expire when the clock moves.
const withKey = async ({ account_id }: Company) => world.as({ key: await makeKey(world.kernel, account_id) });
const available = async ({ account_id }: Company) =>
  (
    await world.kernel.db.one<{ micros: number }>(
      sql`select available_micros as micros from balances where account_id = ${account_id}`,
    )
  ).micros;
const charges = ({ account_id }: Company) =>
  world.kernel.db.rows<{ key: string; amount_micros: number; debit: string; credit: string; note: string }>(sql`
    select key, amount_micros, debit, credit, note from ledger where account_id = ${account_id} and kind = 'charge'
    order by id`);
const inventoryRow = (number: string) =>
  world.kernel.db.one<{ status: string; account_id: string | null }>(
    sql`select status, account_id from numbers where number = ${number}`,
  );
const addMoney = (company: Company, key: string, amount_micros: number) =>
  world.kernel.db.tx((tx) => credit(tx, { account_id: company.account_id, amount_micros, kind: 'top_up', key }));
const ownerMails = async ({ account_id }: Company) => {
  const { email } = await world.kernel.db.one<{ email: string }>(
    sql`select email from users where account_id = ${account_id} and is_owner`,
  );
  return (await mailsTo(world.kernel, email)).map(({ subject }) => subject);
};

describe('a purchase', () => {
  test('is allowed for a user who can only add numbers and who therefore cannot request a sender ID', async () => {
    const company = await makeCompany(world.kernel);
    const number = await makeNumber(world.kernel, '447700111099');
    const buyer = await makeUser(world.kernel, company.account_id, { permissions: { NUMBERS: 3 } });
    const api = world.as(buyer.token);
    expect((await api.post('/v1/senders', { type: 'mobile', code: number })).status).toBe(201);
    const refused = await api.post('/v1/senders', { type: 'alphanumeric', code: 'Harbour', countries: ['GB'] });
    expect([refused.status, refused.body.errors[0].message]).toEqual([403, 'You need Add Sender permission.']);
  });

  test('charges the setup fee and the first month and assigns the number', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 10_000_000 });
    await makeNumber(world.kernel, '447700111001', {
      city: 'London',
      setup_micros: 1_500_000,
      monthly_micros: 2_250_000,
    });
    const reply = await world.as(company.token).get('/v1/numbers?type=mobile&country=gb&city=london');
    expect(reply.body.data).toEqual([
      {
        number: '447700111001',
        type: 'mobile',
        country: 'GB',
        city: 'London',
        currency: 'USD',
        setup_cost: 1.5,
        monthly_cost: 2.25,
        setup_micros: 1_500_000,
        monthly_micros: 2_250_000,
        registration: false,
      },
    ]);
    expect((await world.as(company.token).get('/v1/number_places')).body.data).toEqual([
      {
        ...{ type: 'mobile', country: 'GB', cities: ['London'], count: 1 },
        ...{ currency: 'USD', setup_micros: 1_500_000, monthly_micros: 2_250_000 },
      },
    ]);
    const bought = await buy(company, '+44 7700 111001', 'mobile', { 'idempotency-key': 'one' });
    expect(bought.status).toBe(201);
    expect(bought.body.data).toMatchObject({
      code: '447700111001',
      name: '+447700111001',
      status: 'available',
      request_status: 'COMPLETED',
      two_way: true,
      rental: { currency: 'USD', monthly_micros: 2_250_000, renewal_date: '2027-02-28 10:00:00', grace_date: null },
    });
    // A repeated request returns the same response and charges nothing.
    expect((await buy(company, '+44 7700 111001', 'mobile', { 'idempotency-key': 'one' })).body).toEqual(bought.body);
    const { id } = bought.body.data;
    expect(await charges(company)).toEqual([
      {
        key: `number:${id}:1`,
        amount_micros: 3_750_000,
        debit: 'available',
        credit: 'spent',
        note: 'Number +447700111001: setup and first month',
      },
    ]);
    expect(await available(company)).toBe(6_250_000);
    expect(await inventoryRow('447700111001')).toEqual({ status: 'taken', account_id: company.account_id });
    expect((await world.as(company.token).get('/v1/numbers')).body.data).toEqual([]);
    expect(
      await world.kernel.db.rows(sql`select type from events where account_id = ${company.account_id} order by type`),
    ).toEqual([{ type: 'balance.changed' }, { type: 'balance.changed' }, { type: 'sender.created' }]);
    const log = await world.kernel.db.one<{ action: string }>(
      sql`select action from audit_log where account_id = ${company.account_id}`,
    );
    expect(log.action).toBe('number.bought');
    const detail = await world.as(company.token).get(`/v1/senders/${id}`);
    expect(detail.body.data).toMatchObject({
      editable: false,
      timeline: [{ kind: 'bought' }],
      campaigns: [],
      kind: null,
    });
  });

  test('fails with 7909 and changes nothing when the balance is too low', async () => {
    const poor = await makeCompany(world.kernel, { balance_micros: 2_999_999 });
    await makeNumber(world.kernel, '447700111002');
    expect(code(await buy(poor, '447700111002'))).toBe(7909);
    expect(await inventoryRow('447700111002')).toEqual({ status: 'free', account_id: null });
    expect(await available(poor)).toBe(2_999_999);
    expect((await world.as(poor.token).get('/v1/senders')).body.data).toEqual([]);
    await addMoney(poor, 'more', 1);
    expect((await buy(poor, '447700111002')).status).toBe(201);
    expect(await available(poor)).toBe(0);
  });

  test('succeeds for only one of 32 concurrent buyers of a number', async () => {
    const companies = await Promise.all(
      Array.from({ length: 8 }, () => makeCompany(world.kernel, { balance_micros: 3_000_000 })),
    );
    await makeNumber(world.kernel, '447700111003');
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) => buy(companies[index % 8]!, '447700111003')),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status !== 201).every((reply) => code(reply) === 1470)).toBe(true);
    const balances = await Promise.all(companies.map(available));
    expect(balances.sort((a, b) => a - b)).toEqual([0, ...Array(7).fill(3_000_000)]);
  });

  test('succeeds only as often as the balance allows when one account buys 32 numbers at once', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 10_000_000 });
    const numbers = Array.from({ length: 32 }, (_, index) => `4477002220${String(index).padStart(2, '0')}`);
    for (const number of numbers) await makeNumber(world.kernel, number);
    const replies = await Promise.all(numbers.map((number) => buy(company, number)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(replies.filter((reply) => code(reply) === 7909)).toHaveLength(29);
    expect(await available(company)).toBe(1_000_000);
    expect(await charges(company)).toHaveLength(3);
  });

  test.each<[string, object, number]>([
    ['the number is missing', { type: 'mobile' }, 1409],
    ['the number is not offered', { type: 'mobile', code: '447700999999' }, 1470],
    ['the type differs from the offer', { type: 'local', code: '447700111009' }, 1470],
    ['the type is unknown', { type: 'pager', code: '1' }, 1411],
    ['the channel is unknown', { type: 'mobile', code: '447700111009', channel: 'TELEGRAM' }, 1414],
  ])('is rejected when %s', async (_, order, expected) => {
    const company = await makeCompany(world.kernel);
    await makeNumber(world.kernel, '447700111009').catch(() => {});
    expect(code(await world.as(company.token).post('/v1/senders', order))).toBe(expected);
    expect(await available(company)).toBe(100_000_000);
  });

  test('is rejected for an unverified account and for a user without permission', async () => {
    await makeNumber(world.kernel, '447700111010');
    expect(code(await buy(await makeCompany(world.kernel, { status: 'UNVERIFIED' }), '447700111010'))).toBe(1524);
    const company = await makeCompany(world.kernel);
    const viewer = await makeUser(world.kernel, company.account_id, { permissions: { SENDERS: 1, NUMBERS: 1 } });
    expect(code(await world.as(viewer.token).post('/v1/senders', { type: 'mobile', code: '447700111010' }))).toBe(1136);
  });
});

describe('a monthly rental', () => {
  test('keeps its price and billing day and charges each missed month once', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 50_000_000 });
    await makeNumber(world.kernel, '447700333001', { setup_micros: 0, monthly_micros: 2_000_000 });
    const { id } = (await buy(company, '447700333001')).body.data;
    // The price rises for new rentals only.
    await world.kernel.db.run(sql`update number_prices set monthly_micros = 9000000`);
    const renewal = async () => (await (await withKey(company)).get(`/v1/senders/${id}`)).body.data.rental.renewal_date;
    clock.advance(27 * DAY_MS);
    expect(await listChargeKeys(company)).toHaveLength(1);
    clock.advance(2 * DAY_MS);
    await Promise.all([renewNumbers(world.kernel), renewNumbers(world.kernel), renewNumbers(world.kernel)]);
    expect(await listChargeKeys(company)).toEqual([`number:${id}:1`, `number:${id}:2`]);
    expect(await renewal()).toBe('2027-03-31 10:00:00');
    // On June 4, three months are due: March 31, April 30, and May 31.
    clock.advance(95 * DAY_MS);
    await renewNumbers(world.kernel);
    expect(await listChargeKeys(company)).toHaveLength(5);
    expect(await renewal()).toBe('2027-06-30 10:00:00');
    expect(await available(company)).toBe(40_000_000);
    expect((await charges(company)).every(({ amount_micros }) => amount_micros === 2_000_000)).toBe(true);
  });

  test('ends after seven unpaid days and two emails, and its number cools down', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 3_000_000 });
    await makeNumber(world.kernel, '447700333002');
    await world.kernel.db.run(sql`update number_prices set monthly_micros = 2000000`);
    const { id } = (await buy(company, '447700333002')).body.data;
    const api = await withKey(company);
    clock.advance(32 * DAY_MS);
    expect((await renewNumbers(world.kernel)).late).toBe(1);
    await renewNumbers(world.kernel);
    const inGrace = (await api.get(`/v1/senders/${id}`)).body.data;
    expect(inGrace).toMatchObject({ status: 'available', rental: { grace_date: expect.any(String) } });
    expect(await ownerMails(company)).toEqual(['Your number +447700333002 could not be renewed']);
    clock.advance((GRACE_DAYS - 1) * DAY_MS);
    await renewNumbers(world.kernel);
    await renewNumbers(world.kernel);
    expect(await ownerMails(company)).toHaveLength(2);
    clock.advance(DAY_MS);
    expect((await renewNumbers(world.kernel)).released).toBe(1);
    expect((await renewNumbers(world.kernel)).released).toBe(0);
    expect((await ownerMails(company)).at(-1)).toBe('Your number +447700333002 was released');
    const removed = (await api.get(`/v1/senders/${id}`)).body.data;
    expect(removed).toMatchObject({ status: 'canceled', request_status: 'DELETED', rental: null });
    expect(removed.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['bought', 'renewal_failed', 'removed']);
    expect((await api.get('/v1/senders')).body.data).toEqual([]);
    expect((await api.get('/v1/senders?filter[request_statuses]=DELETED')).body.data).toHaveLength(1);
    expect(await world.kernel.db.rows(sql`select 1 from inbound_addresses where address = '447700333002'`)).toEqual([]);
    expect(await inventoryRow('447700333002')).toEqual({ status: 'cooling', account_id: null });
    const reply = await api.post('/v1/messages', { from: id, to: ['447410000001'], channel: 'SMS', text: 'Hello' });
    expect(code(reply)).toBe(1625);
    clock.advance((COOLING_DAYS - 1) * DAY_MS);
    await renewNumbers(world.kernel);
    expect((await inventoryRow('447700333002')).status).toBe('cooling');
    clock.advance(DAY_MS);
    await renewNumbers(world.kernel);
    expect((await inventoryRow('447700333002')).status).toBe('free');
  });

  test('is renewed when funds are added during the grace period', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 3_000_000 });
    await makeNumber(world.kernel, '447700333003');
    const { id } = (await buy(company, '447700333003')).body.data;
    clock.advance(32 * DAY_MS);
    await renewNumbers(world.kernel);
    await addMoney(company, 'in time', 2_000_000);
    await renewNumbers(world.kernel);
    const { rental, timeline } = (await (await withKey(company)).get(`/v1/senders/${id}`)).body.data;
    expect(rental.grace_date).toBeNull();
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['bought', 'renewal_failed', 'renewed']);
    expect(await available(company)).toBe(0);
  });

  const listChargeKeys = async (company: Company) => (await charges(company)).map(({ key }) => key);
});

test('a number removed by its owner is no longer charged and can be bought again', async () => {
  const company = await makeCompany(world.kernel, { balance_micros: 9_000_000 });
  await makeNumber(world.kernel, '447700444001');
  const api = await withKey(company);
  const { id } = (await buy(company, '447700444001')).body.data;
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.delete(`/v1/senders/${id}`))).toBe(1402);
  expect((await api.delete(`/v1/senders/${id}`)).status).toBe(204);
  expect(code(await api.delete(`/v1/senders/${id}`))).toBe(1402);
  clock.advance(40 * DAY_MS);
  await renewNumbers(world.kernel);
  expect(await charges(company)).toHaveLength(1);
  expect((await inventoryRow('447700444001')).status).toBe('free');
  expect((await api.post('/v1/senders', { type: 'mobile', code: '447700444001' })).body.data.name).toBe(
    '+447700444001',
  );
});

test('a long timeline shows only its newest entries', async () => {
  const company = await makeCompany(world.kernel, { balance_micros: 9_000_000 });
  await makeNumber(world.kernel, '447700444002');
  const { id } = (await buy(company, '447700444002')).body.data;
  const ids = Array.from({ length: 251 }, () => newId());
  await world.kernel.db.run(sql`
    insert into sender_timeline (account_id, id, sender_id, kind, text, create_date)
    select ${company.account_id}, one, ${id}, case when one = ${ids.at(-1)!}::uuid then 'renewal_failed' else 'renewed'
      end, '', now()
    from unnest(${ids}::uuid[]) one`);
  const { timeline } = (await (await withKey(company)).get(`/v1/senders/${id}`)).body.data;
  const kinds = timeline.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual([...Array(199).fill('renewed'), 'renewal_failed']);
});

describe('the number inventory', () => {
  test('adds a list of numbers and reports invalid and existing ones', async () => {
    const desk = world.as((await makeCompany(world.kernel, { operator: true })).token);
    const update = await desk.put('/v1/number_prices', {
      country: 'US',
      type: 'local',
      currency: 'USD',
      setup_micros: 0,
      monthly_micros: 1_150_000,
    });
    expect(update.status).toBe(200);
    const body = {
      type: 'local',
      country: 'US',
      city: 'Seattle',
      numbers: ['+1 206 555 0100', '(206) 555-0101', '12065550101', '+18005550199', 'nonsense', '', '+442071838750'],
    };
    const creation = await desk.post('/v1/inventory', body);
    expect(creation.body.data).toEqual({ added: 2, known: [], invalid: ['+18005550199', 'nonsense', '+442071838750'] });
    expect((await desk.post('/v1/inventory', body)).body.data).toMatchObject({
      added: 0,
      known: ['12065550100', '12065550101'],
    });
    const customer = await makeCompany(world.kernel);
    const offers = await world.as(customer.token).get('/v1/numbers?filter[type]=local&filter[city]=Seattle');
    expect(offers.body.data).toMatchObject([
      { number: '12065550100', registration: true, monthly_cost: 1.15 },
      { number: '12065550101' },
    ]);
    const readPrice = async (type: string) => {
      const { status, body } = await world.as(customer.token).get(`/v1/numbers?type=${type}&city=Seattle`);
      return [status, body.data?.length ?? body.errors[0].code];
    };
    expect(
      await Promise.all(['Local', 'Toll-free', 'Mobile', 'Short-code', 'Alphanumeric', 'Fax'].map(readPrice)),
    ).toEqual([
      [200, 2],
      [200, 0],
      [200, 0],
      [200, 0],
      [200, 0],
      [400, 1411],
    ]);
    const bought = await buy(customer, '12065550100', 'local');
    expect(bought.body.data).toMatchObject({ status: 'unregistered', request_status: null, countries: ['US'] });
    const refusal = await world
      .as(customer.token)
      .post('/v1/messages', { from: '12065550100', to: ['12065550123'], channel: 'SMS', text: 'x' });
    expect(code(refusal)).toBe(1504);

    expect(code(await desk.put('/v1/inventory/12065550100', { retired: true }))).toBe(1479);
    expect((await desk.put('/v1/inventory/12065550101', { retired: true })).body.data.status).toBe('retired');
    expect(code(await buy(customer, '12065550101', 'local'))).toBe(1470);
    expect((await desk.put('/v1/inventory/12065550101', { retired: false })).body.data.status).toBe('free');
    expect(code(await desk.put('/v1/inventory/12065559999', { retired: true }))).toBe(1478);
    const inventory = await desk.get('/v1/inventory?filter[search]=Seattle&filter[statuses]=taken');
    expect(inventory.body.data).toMatchObject([{ number: '12065550100', account_id: customer.account_id }]);
  });

  test('is visible only to operators', async () => {
    const customer = world.as((await makeCompany(world.kernel)).token);
    expect(code(await customer.get('/v1/inventory'))).toBe(1138);
    expect(code(await customer.post('/v1/inventory', {}))).toBe(1138);
  });
});

test('all balances match the ledger after these tests', async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

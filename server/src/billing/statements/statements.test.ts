import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { runChecks } from '../../kernel/db/check.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeKey } from '../../test/make.ts';
import { makeSubAccount } from '../../test/team.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { billingChecks, charge, closeHolds, credit, openHold, statementChecks } from '../billing.ts';
import { move } from '../ledger/movements.ts';
import { deliverStatement } from './files.ts';
import { storeEndedMonths } from './months.ts';

/** The clock of the world, which a test moves. */
let now = new Date('2026-08-10T12:00:00Z');
let world: World;
let company: Company;
let sub: string;
let key: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock: { now: () => now } });
  company = await makeCompany(world.kernel, { balance_micros: 0 });
  await world.kernel.db.run(sql`
    update accounts set create_date = ${now}, invoice_emails = '{books@example.com}' where id = ${company.account_id}`);
  sub = await makeSubAccount(world.kernel, company);
  key = await makeKey(world.kernel, company.account_id);
  for (const day of [
    '2026-08-10T12:00:00Z',
    '2026-08-31T23:59:59.999Z',
    '2026-09-01T00:00:00Z',
    '2026-09-30T20:00:00Z',
  ])
    await makeMovements(new Date(day));
  now = new Date('2026-10-05T08:00:00Z');
  await makeMovements(now);
});
afterAll(() => world.stop());

let random = 7;
/** A repeatable pseudo-random amount. */
const amount = (max: number): number => {
  random = (random * 48_271) % 2_147_483_647;
  return 1 + (random % max);
};

/** Movements of every kind with odd amounts, some of them for messages that end later. */
async function makeMovements(at: Date): Promise<void> {
  now = at;
  const { account_id } = company;
  const note = 'Test';
  await world.kernel.db.tx(async (tx) => {
    await credit(tx, { account_id, amount_micros: 50_000_000 + amount(999_999), kind: 'top_up', key: newId() });
    await credit(tx, { account_id, amount_micros: amount(5_000_000), kind: 'bonus', key: newId(), note });
    await charge(tx, { account_id, amount_micros: amount(3_000_000), key: newId(), note });
    const payment_id = newId();
    const paid = amount(9_000_000);
    await tx.run(sql`
      insert into payments (account_id, id, type, status, currency, amount_micros)
      values (${account_id}, ${payment_id}, 'Credit Card', 'FROZEN', 'USD', ${paid})`);
    await move(tx, {
      ...{ account_id, amount_micros: paid, key: newId(), note, limit: 'none', kind: 'top_up', payment_id },
      ...{ from: 'outside', to: 'frozen' },
    });
    for (let batch = 0; batch < 5; batch++) {
      const [settled, released, open] = [amount(400_000), amount(90_000), amount(30_000)];
      const hold_id = await openHold(tx, { account_id, amount_micros: settled + released + open, message_count: 9 });
      const closing = { account_id, hold_id, message_count: 1, campaign_id: null };
      await closeHolds(tx, [
        { ...closing, outcome: 'settled', amount_micros: settled },
        { ...closing, outcome: 'released', amount_micros: released },
      ]);
    }
  });
}

// Sessions would expire when the clock moves.
const owner = () => world.as({ key });
const code = (reply: Reply) => reply.body.errors[0]!.code;
const statement = async (month: string, filter = '') =>
  (await owner().get(`/v1/statements/${month}${filter}`)).body.data;

/** The account's figures from the ledger itself, without the code under test. */
const ledger = async (until: string) =>
  world.kernel.db.one<{ total: number; available: number; held: number; frozen: number }>(sql`
    select sum(case when credit in ('available', 'held', 'frozen') then amount_micros else 0 end)::bigint
         - sum(case when debit in ('available', 'held', 'frozen') then amount_micros else 0 end)::bigint as total,
      (sum(case credit when 'available' then amount_micros else 0 end)
       - sum(case debit when 'available' then amount_micros else 0 end))::bigint as available,
      (sum(case credit when 'held' then amount_micros else 0 end)
       - sum(case debit when 'held' then amount_micros else 0 end))::bigint as held,
      (sum(case credit when 'frozen' then amount_micros else 0 end)
       - sum(case debit when 'frozen' then amount_micros else 0 end))::bigint as frozen
    from ledger where account_id = ${company.account_id} and create_date < ${until}::timestamptz`);

/** The other checks need the messages of the holds. */
const broken = async () =>
  (await runChecks(world.kernel.db, [...billingChecks, ...statementChecks]))
    .filter(({ ok }) => !ok)
    .map(({ id }) => id);

interface Movement {
  kind: string;
  amount_micros: number;
  entries_count: number;
}

async function expectExact(): Promise<void> {
  let opening_micros = 0;
  for (const [month, end] of [
    ['2026-08', '2026-09-01T00:00:00Z'],
    ['2026-09', '2026-10-01T00:00:00Z'],
    ['2026-10', '2026-11-01T00:00:00Z'],
  ] as const) {
    const found = await statement(month);
    const { total, available, held, frozen } = await ledger(end);
    const sum = found.movements.reduce((all: number, { amount_micros }: Movement) => all + amount_micros, 0);
    expect([found.opening_micros, found.opening_micros + sum]).toEqual([opening_micros, total]);
    expect(found).toMatchObject({
      ...{ closing_micros: total, available_micros: available, held_micros: held, frozen_micros: frozen },
      added_micros: expect.any(Number),
    });
    expect(found.added_micros + found.used_micros).toBe(sum);
    opening_micros = total;
  }
  const months = (await owner().get('/v1/statements')).body.data;
  expect(months.map(({ month }: { month: string }) => month)).toEqual(['2026-10', '2026-09', '2026-08']);
  expect(months[0].closing_micros).toBe(opening_micros);
  const balance = (await owner().get(`/v1/balances/${company.account_id}`)).body.data;
  expect(balance.available_micros + balance.held_micros + balance.frozen_micros).toBe(opening_micros);
}

test('the sums of a statement equal the ledger to the micro-unit, before and after its month is stored', async () => {
  await expectExact();
  expect((await statement('2026-09')).is_final).toBe(false);
  await Promise.all([storeEndedMonths(world.kernel), storeEndedMonths(world.kernel)]);
  await storeEndedMonths(world.kernel);
  expect((await statement('2026-09')).is_final).toBe(true);
  expect((await statement('2026-10')).is_final).toBe(false);
  await expectExact();
  await makeMovements(new Date('2026-10-06T08:00:00Z'));
  await expectExact();
  expect(await broken()).toEqual([]);
});

test('the doctor finds a stored month that differs from the ledger', async () => {
  const change = (by: number) =>
    world.kernel.db.run(sql`
      update ledger_months set amount_micros = amount_micros + ${by}
      where account_id = ${company.account_id} and month = '2026-08-01' and kind = 'bonus'`);
  await change(1);
  expect(await broken()).toEqual(['M8']);
  await change(-1);
});

test('a month is stored only when its last transactions have ended', async () => {
  now = new Date('2026-11-01T00:30:00Z');
  await storeEndedMonths(world.kernel);
  expect((await statement('2026-10')).is_final).toBe(false);
  now = new Date('2026-11-01T01:40:00Z');
  await storeEndedMonths(world.kernel);
  expect((await statement('2026-10')).is_final).toBe(true);
});

test('a statement is a CSV file that adds up, and a PDF once its month has ended', async () => {
  const csv = await owner().get('/v1/statements/2026-09/file');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = csv.text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  const micros = rows.map((cells) => Math.round(Number(cells[3]) * 1_000_000));
  expect(rows[0]![1]).toBe('Opening balance');
  expect(micros.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(micros.at(-1));
  for (const _ of [1, 2]) {
    const pdf = await owner().get('/v1/statements/2026-09/file?format=pdf');
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  }
  now = new Date('2026-11-02T00:00:00Z');
  expect(code(await owner().get('/v1/statements/2026-11/file?format=pdf'))).toBe(2506);
});

test('a company reads the statements of its sub-accounts, and no other company does', async () => {
  await world.kernel.db.tx((tx) =>
    move(tx, {
      ...{ account_id: sub, amount_micros: 2_500_000, key: 'transfer', kind: 'transfer_in', limit: 'none' },
      ...{ from: 'outside', to: 'available' },
    }),
  );
  const filter = `?filter[account_id]=${sub}`;
  expect(await statement('2026-11', filter)).toMatchObject({
    account_id: sub,
    closing_micros: 2_500_000,
    movements: [{ kind: 'transfer_in', amount_micros: 2_500_000, entries_count: 1 }],
  });
  const stranger = world.as({ key: await makeKey(world.kernel, (await makeCompany(world.kernel)).account_id) });
  expect((await stranger.get(`/v1/statements${filter}`)).status).toBe(404);
  expect((await stranger.get(`/v1/statements/2026-11${filter}`)).status).toBe(404);
  expect(code(await owner().get('/v1/statements/2027-01'))).toBe(2505);
  expect(code(await owner().get('/v1/statements/2026-13'))).toBe(1705);
});

test('an account gets one email per month and address if it wants it', async () => {
  const { account_id } = company;
  const mails = () =>
    world.kernel.db.rows<{ subject: string }>(
      sql`select subject from mails where account_id = ${account_id} and subject like 'Statement%'`,
    );
  await deliverStatement(world.kernel, account_id, '2026-10');
  expect(await mails()).toEqual([]);
  await world.kernel.db.run(sql`
    insert into payment_accounts (account_id, sends_statements) values (${account_id}, true)`);
  await deliverStatement(world.kernel, account_id, '2026-10');
  await deliverStatement(world.kernel, account_id, '2026-10');
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Statement for October 2026']);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { type Caller, midMonthClock, until } from '../../test/world.ts';
import { paymentBooked } from '../payments/settle.ts';
import { issueMonth, issueMonthlyInvoices } from './issue.ts';

let folder: string;
let world: PaymentWorld;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-monthly-'));
  world = await createPaymentWorld(folder, { clock: midMonthClock() });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const entity = {
    ...{ name: 'Parley Messaging GmbH', address: 'Am Kai 4, 20457 Hamburg', country_code: 'DE' },
    ...{ vat_number: 'DE136695976', bank_details: 'DE00 0000', number_prefix: 'M-' },
  };
  await operator.put('/v1/invoice_entities/1', entity);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

async function makeCustomer(country = 'FR') {
  const company = await makeCompany(world.kernel, { balance_micros: 0, country });
  const { account_id } = company;
  await world.kernel.db.run(sql`
    update accounts set invoice_emails = '{books@example.com}' where id = ${account_id}`);
  const caller = world.as(company.token);
  const invoices = async () => (await caller.get('/v1/invoices/all')).body.data;
  const choose = (monthly_invoices: boolean) => caller.put('/v1/transaction/stripe-settings', { monthly_invoices });
  const decide = (id: string, what: string, body?: object) =>
    operator.post(`/v1/accounts/${account_id}/payments/${id}/${what}`, body);
  /** A payment that has arrived, last month or now. */
  async function arrive(id: string, isLastMonth: boolean): Promise<string> {
    if (isLastMonth)
      await world.kernel.db.run(sql`
        update payments set paid_date = ${world.kernel.clock.now()}::timestamptz - interval '20 days'
        where account_id = ${account_id} and id = ${id}`);
    await until('the job of the payment has run', async () => {
      const { waiting } = await world.kernel.db.one<{ waiting: number }>(sql`
        select count(*) as waiting from pgboss.job
        where name = ${paymentBooked.name} and data->>'payment_id' = ${id} and state < 'completed'`);
      return waiting === 0;
    });
    return id;
  }
  async function transfer(amount_micros: number, isLastMonth = true): Promise<string> {
    const { id } = (await caller.post('/v1/payment_intents', { amount_micros, type: 'Bank Transfer' })).body.data;
    expect((await decide(id, 'confirm')).status).toBeLessThan(300);
    return arrive(id, isLastMonth);
  }
  /** 50 in the account's currency. */
  async function payByCard(): Promise<string> {
    const { id } = await pay(world, caller, CARDS.ok);
    await reportPaid(caller, id);
    await decide(id, 'release');
    return arrive(id, true);
  }
  const refund = (id: string, amount_micros: number) => decide(id, 'refund', { amount_micros, reason: 'Asked for it' });
  return { account_id, caller, invoices, choose, transfer, payByCard, refund };
}

const sound = async () => expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);

test('the payments of a month get one invoice with a line each, once', async () => {
  const { account_id, caller, invoices, choose, transfer, payByCard, refund } = await makeCustomer();
  expect((await choose(true)).body.data.monthly_invoices).toBe(true);
  await transfer(40_000_000);
  const second = await payByCard();
  const returned = await payByCard();
  await transfer(70_000_000, false);
  await refund(returned, 50_000_000);
  await refund(second, 10_000_000);
  expect(await invoices(), 'nothing is invoiced within the month').toEqual([]);
  await Promise.all([issueMonthlyInvoices(world.kernel), issueMonthlyInvoices(world.kernel)]);
  await issueMonthlyInvoices(world.kernel);
  const [invoice, ...others] = await invoices();
  expect(others).toEqual([]);
  expect(invoice).toMatchObject({
    ...{ type: 'Invoice', payment_id: null, net_amount_micros: 80_000_000, amount_micros: 16_000_000, tax_rate: 20 },
    month: expect.stringMatching(/^\d{4}-\d{2}$/),
  });
  const details = (await caller.get(`/v1/transaction/get/${invoice.id}`)).body.data;
  expect(details.lines.map((line: { net_amount_micros: number }) => line.net_amount_micros)).toEqual([
    40_000_000, 40_000_000,
  ]);
  const link = () => caller.get(`/v1/invoices/${invoice.id}/link?filter[account_id]=${account_id}`);
  await until('the PDF exists', async () => (await link()).status === 200);
  expect((await (await fetch(`${world.url}${(await link()).body.data.url}`)).text()).slice(0, 5)).toBe('%PDF-');
  const xml = await caller.get(`/v1/invoices/${invoice.id}/ubl`);
  expect(xml.text.match(/<cac:InvoiceLine>/g)).toHaveLength(2);
  const mails = await world.kernel.db.rows<{ subject: string }>(
    sql`select subject from mails where account_id = ${account_id} and recipient = 'books@example.com'`,
  );
  expect(mails.map(({ subject }) => subject)).toContain(`Invoice ${invoice.number}`);
  await sound();

  await refund(second, 40_000_000);
  await until('the credit note exists', async () => (await invoices()).length === 2);
  const [note] = await invoices();
  expect(note).toMatchObject({ type: 'Credit note', net_amount_micros: -40_000_000, payment_id: second, month: null });
  expect((await caller.get(`/v1/transaction/get/${note.id}`)).body.data.corrects).toBe(invoice.number);
  await sound();
});

test('turning monthly invoices off invoices the remaining payments, and later ones get their own', async () => {
  const { invoices, choose, transfer } = await makeCustomer('US');
  await choose(true);
  await transfer(40_000_000, false);
  await choose(false);
  await until('the invoice exists', async () => (await invoices()).length === 1);
  const id = await transfer(50_000_000, false);
  const [own, left] = await invoices();
  expect([own.payment_id, own.month, own.net_amount_micros]).toEqual([id, null, 50_000_000]);
  expect([left.payment_id, left.net_amount_micros]).toEqual([null, 40_000_000]);
  await sound();
});

test('payments with another rate of VAT get their own invoice', async () => {
  const { account_id, invoices, choose, transfer } = await makeCustomer();
  await choose(true);
  await transfer(40_000_000);
  await world.kernel.db.run(sql`update accounts set tax_rate = 7 where id = ${account_id}`);
  const id = await transfer(50_000_000);
  await world.kernel.db.run(sql`
    update payments set tax_rate = 7, tax_micros = 3500000 where account_id = ${account_id} and id = ${id}`);
  await world.kernel.db.tx((tx) => issueMonth(tx, account_id, tx.now));
  const rows = await invoices();
  expect(rows.map((row: { tax_rate: number; amount_micros: number }) => [row.tax_rate, row.amount_micros])).toEqual([
    [7, 3_500_000],
    [20, 8_000_000],
  ]);
  await sound();
});

test('a year of daily payments is drawn on several pages', async () => {
  const { account_id, caller, invoices, choose } = await makeCustomer();
  await choose(true);
  await world.kernel.db.run(sql`
    insert into payments (account_id, id, type, status, currency, amount_micros, tax_micros, tax_rate, paid_date)
    select ${account_id}, gen_random_uuid(), 'Auto Top Up', 'PAID', 'USD', 1000000, 200000, 20,
      ${world.kernel.clock.now()}
    from generate_series(1, 90)`);
  await world.kernel.db.tx((tx) => issueMonth(tx, account_id, tx.now));
  const [invoice] = await invoices();
  expect(invoice.net_amount_micros).toBe(90_000_000);
  const link = () => caller.get(`/v1/invoices/${invoice.id}/link`);
  await until('the PDF exists', async () => (await link()).status === 200);
  const pdf = await (await fetch(`${world.url}${(await link()).body.data.url}`)).text();
  expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(2);
});

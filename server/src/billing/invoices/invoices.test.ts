import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { type Caller, type Reply, until } from '../../test/world.ts';

let folder: string;
let world: PaymentWorld;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-invoices-'));
  world = await createPaymentWorld(folder);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const entity = {
    ...{ name: 'Parley Messaging GmbH', address: 'Am Kai 4, 20457 Hamburg', country_code: 'DE' },
    ...{ vat_number: 'DE136695976', bank_details: 'DE00 0000', number_prefix: 'P-' },
  };
  expect((await operator.put('/v1/invoice_entities/1', entity)).status).toBe(200);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const code = (reply: Reply) => reply.body.errors[0]!.code;

async function makeCustomer(country: string, facts: { vat_number?: string } = {}) {
  const company = await makeCompany(world.kernel, { balance_micros: 0, country });
  await world.kernel.db.run(sql`
    update accounts set vat_number = ${facts.vat_number ?? ''}, invoice_emails = '{books@example.com}',
      invoice_company = 'Пекарня Հաց', company_address = 'Market Street 1'
    where id = ${company.account_id}`);
  const caller = world.as(company.token);
  const invoices = async () => (await caller.get('/v1/invoices/all')).body.data;
  const decide = (id: string, what: string, body?: object) =>
    operator.post(`/v1/accounts/${company.account_id}/payments/${id}/${what}`, body);
  return { ...company, caller, invoices, decide };
}

test('a payment gets one invoice with VAT and a PDF, and a refund gets a credit note', async () => {
  const { account_id, caller, invoices, decide } = await makeCustomer('FR');
  const { id } = await pay(world, caller, CARDS.ok);
  await reportPaid(caller, id);
  expect(await invoices()).toEqual([]);
  await decide(id, 'release');
  await until('the invoice exists', async () => (await invoices()).length === 1);
  const [invoice] = await invoices();
  expect(invoice).toMatchObject({
    type: 'Invoice',
    net_amount_micros: 50_000_000,
    amount_micros: 10_000_000,
    amount_including_vat_micros: 60_000_000,
    tax_rate: 20,
    number: expect.stringMatching(/^P-\d{6}$/),
  });
  const link = () => caller.get(`/v1/invoices/${invoice.id}/link?filter[account_id]=${account_id}`);
  await until('the PDF exists', async () => (await link()).status === 200);
  const pdf = await fetch(`${world.url}${(await link()).body.data.url}`);
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
  expect((await caller.get(`/v1/transaction/get/${invoice.id}`)).body.data).toMatchObject({
    seller: { name: 'Parley Messaging GmbH' },
    buyer: { name: 'Пекарня Հաց', country_code: 'FR' },
    reverse_charge: false,
  });
  await decide(id, 'refund', { amount_micros: 20_000_000, reason: 'Asked for it' });
  await until('the credit note exists', async () => (await invoices()).length === 2);
  expect((await invoices())[0]).toMatchObject({
    type: 'Credit note',
    net_amount_micros: -20_000_000,
    amount_micros: -4_000_000,
  });
  const [note] = await invoices();
  const xml = await caller.get(`/v1/invoices/${note.id}/ubl`);
  expect([xml.status, xml.text.slice(0, 60)]).toEqual([200, expect.stringContaining('<CreditNote ')]);
  expect(xml.text).toContain(`<cbc:ID>${invoice.number}</cbc:ID>`);
  expect((await caller.get(`/v1/transaction/get/${note.id}`)).body.data.corrects).toBe(invoice.number);
  const mails = await world.kernel.db.rows<{ subject: string }>(
    sql`select subject from mails where account_id = ${account_id} and recipient = 'books@example.com'`,
  );
  expect(mails.map(({ subject }) => subject)).toContain(`Invoice ${invoice.number}`);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test.each([
  ['the seller’s country', 'DE', 'DE136695976', 19, false],
  ['another member with a VAT number', 'FR', 'FR 12 345678901', 0, true],
  ['another member with a malformed VAT number', 'FR', '12345', 20, false],
  ['a country outside the European Union', 'US', '', 0, false],
])('a customer in %s pays the right VAT', async (_, country, vat_number, rate, reverse_charge) => {
  const { caller } = await makeCustomer(country, { vat_number });
  const settings = (await caller.get('/v1/transaction/stripe-settings')).body.data;
  expect([settings.tax_rate, settings.reverse_charge]).toEqual([rate, reverse_charge]);
});

test('concurrent payments of many accounts get consecutive numbers', async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => makeCustomer('US')));
  await Promise.all(
    customers.map(async ({ caller, decide }) => {
      const body = { amount_micros: 40_000_000, type: 'Bank Transfer' };
      const { id } = (await caller.post('/v1/payment_intents', body)).body.data;
      await decide(id, 'confirm');
    }),
  );
  await until('all invoices exist', async () =>
    (await Promise.all(customers.map(({ invoices }) => invoices()))).every(({ length }) => length === 1),
  );
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('another account’s invoice is not found', async () => {
  const { caller } = await makeCustomer('US');
  const stranger = await makeCustomer('US');
  const body = { amount_micros: 40_000_000, type: 'Bank Transfer' };
  const { id } = (await caller.post('/v1/payment_intents', body)).body.data;
  const { account_id } = (await caller.get(`/v1/payments/${id}`)).body.data;
  await operator.post(`/v1/accounts/${account_id}/payments/${id}/confirm`);
  const list = async () => (await caller.get('/v1/invoices/all')).body.data;
  await until('the invoice exists', async () => (await list()).length === 1);
  const [invoice] = await list();
  expect(code(await stranger.caller.get(`/v1/transaction/get/${invoice.id}`))).toBe(2053);
  expect(code(await stranger.caller.get(`/v1/invoices/${invoice.id}/link`))).toBe(2053);
  expect(code(await stranger.caller.get(`/v1/invoices/${invoice.id}/ubl`))).toBe(2053);
  expect((await stranger.caller.get(`/v1/invoices/${invoice.id}/link?filter[account_id]=${account_id}`)).status).toBe(
    404,
  );
});

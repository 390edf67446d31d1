import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, makeUser } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { type Caller, type Reply, until } from '../../test/world.ts';
import { sweepPayments } from './sync.ts';

let folder: string;
let world: PaymentWorld;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-payments-'));
  world = await createPaymentWorld(folder);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const code = (reply: Reply) => reply.body.errors[0]!.code;
async function makeCustomer() {
  const company = await makeCompany(world.kernel, { balance_micros: 0 });
  const caller = world.as(company.token);
  const balance = async () => (await caller.get(`/v1/balances/${company.account_id}`)).body.data;
  const payment = async (id: string) => (await caller.get(`/v1/payments/${id}`)).body.data;
  const decide = (id: string, what: string, body?: object) =>
    operator.post(`/v1/accounts/${company.account_id}/payments/${id}/${what}`, body);
  return { ...company, caller, balance, payment, decide };
}
const isSound = async () => expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);

test('the first payment of a card is frozen until an operator releases it, and the next one is not', async () => {
  const { caller, balance, decide } = await makeCustomer();
  const first = await pay(world, caller, CARDS.ok);
  expect((await reportPaid(caller, first.id)).body.data).toMatchObject({
    status: 'FROZEN',
    brand: 'visa',
    last4: '4242',
  });
  expect(await balance()).toMatchObject({ balance: 0, pending_balance: 50, frozen_micros: 50_000_000 });
  const listed = await operator.get('/v1/customer_payments?filter[states]=review');
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(first.id);
  expect((await decide(first.id, 'release')).body.data).toMatchObject({ status: 'PAID' });
  expect(code(await decide(first.id, 'release'))).toBe(2045);
  expect(await balance()).toMatchObject({ balance: 50, pending_balance: 0 });
  const second = await pay(world, caller, CARDS.ok, { amount_micros: 27_000_000 });
  expect((await reportPaid(caller, second.id)).body.data.status).toBe('PAID');
  expect(await balance()).toMatchObject({ balance: 77 });
  expect((await caller.get('/v1/payments')).body.data.map(({ status }: { status: string }) => status)).toEqual([
    'PAID',
    'PAID',
  ]);
  await isSound();
});

test.each(['twice', 'reversed'] as const)('a payment is credited once when webhooks arrive %s', async (how) => {
  const { caller, balance, payment } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS[how]);
  await until('a webhook settles the payment', async () => (await payment(id)).status === 'FROZEN');
  const replies = await Promise.all([reportPaid(caller, id), reportPaid(caller, id), reportPaid(caller, id)]);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await balance()).toMatchObject({ frozen_micros: 50_000_000 });
  await isSound();
});

test('the sweep finds a payment whose webhooks were lost and whose browser is gone', async () => {
  const { caller, payment } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.lost);
  expect((await payment(id)).status).toBe('PENDING');
  await sweepPayments(world.kernel, 0);
  expect((await payment(id)).status).toBe('FROZEN');
});

test('a declined card moves no money, and the same payment succeeds with another card', async () => {
  const { caller, balance, payment } = await makeCustomer();
  const { id, client_secret } = await pay(world, caller, CARDS.declined);
  expect((await reportPaid(caller, id)).body.data).toMatchObject({
    status: 'FAILED',
    failure: 'Your card was declined.',
  });
  expect((await caller.get('/v1/payments')).body.data).toEqual([]);
  await world.browser.confirm(client_secret, { number: CARDS.challenge });
  await reportPaid(caller, id);
  expect(await payment(id)).toMatchObject({ status: 'FROZEN', failure: null });
  expect(await balance()).toMatchObject({ balance: 0, pending_balance: 50 });
});

test('a payment fails when the customer does not pass the challenge', async () => {
  const { caller, payment } = await makeCustomer();
  const started = await caller.post('/v1/payment_intents', { amount_micros: 30_000_000 });
  await world.browser.confirm(started.body.data.client_secret, { number: CARDS.challenge }, false);
  await reportPaid(caller, started.body.data.id);
  expect((await payment(started.body.data.id)).status).toBe('FAILED');
});

test('an operator refunds a payment in part and in full', async () => {
  const { account_id, caller, balance, payment, decide } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.ok);
  await reportPaid(caller, id);
  await decide(id, 'release');
  const part = await decide(id, 'refund', { amount_micros: 20_000_000, reason: 'Asked for it' });
  expect(part.body.data).toMatchObject({ status: 'PARTIALLY_REFUNDED', returned_micros: 20_000_000 });
  expect(await balance()).toMatchObject({ balance: 30 });
  const refundable = await operator.get(
    `/v1/customer_payments?filter[states]=refundable&filter[account_id]=${account_id}`,
  );
  expect(refundable.body.data).toMatchObject([{ id, status: 'PARTIALLY_REFUNDED', amount_micros: 50_000_000 }]);
  expect(code(await operator.get('/v1/customer_payments?filter[states]=refundable'))).toBe(1705);
  expect(code(await decide(id, 'refund', { amount_micros: 40_000_000, reason: 'Too much' }))).toBe(2041);
  const both = await Promise.all([
    decide(id, 'refund', { reason: 'The rest' }),
    decide(id, 'refund', { reason: 'The rest' }),
  ]);
  expect(both.map(({ status }) => status)).toContain(200);
  expect(await payment(id)).toMatchObject({ status: 'REFUNDED', returned_micros: 50_000_000 });
  expect(await balance()).toMatchObject({ balance: 0 });
  await isSound();
});

test('a refund of a payment in review comes from the frozen amount', async () => {
  const { caller, balance, decide } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.ok);
  await reportPaid(caller, id);
  expect((await decide(id, 'refund', { reason: 'Looks stolen' })).body.data.status).toBe('REFUNDED');
  expect(await balance()).toMatchObject({ balance: 0, pending_balance: 0 });
  await isSound();
});

test('a dispute takes the money back, even if it was spent, and a won dispute returns it', async () => {
  const { account_id, caller, balance, payment, decide } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.ok);
  await reportPaid(caller, id);
  await decide(id, 'release');
  const correction = { amount_micros: 45_000_000, reason: 'Spent in this test', reference: 'T-1' };
  expect((await operator.post(`/v1/accounts/${account_id}/corrections`, correction)).status).toBe(201);
  const tooMuch = { ...correction, amount_micros: 90_000_000, reference: 'T-2' };
  const refused = await operator.post(`/v1/accounts/${account_id}/corrections`, tooMuch);
  expect(refused.body.errors[0].message).toBe('The amount is larger than the balance of the account');
  const { provider_id } = await world.kernel.db.one<{ provider_id: string }>(
    sql`select provider_id from payments where account_id = ${account_id} and id = ${id}`,
  );
  const dispute = await world.browser.call('POST', `payments/${provider_id}/dispute`);
  await until('the dispute is known', async () => (await payment(id)).dispute === 'open');
  expect(await balance()).toMatchObject({ balance: -45 });
  await isSound();
  await world.browser.call('PUT', `disputes/${dispute.id}`, { status: 'won' });
  await until('the dispute is won', async () => (await payment(id)).dispute === 'won');
  expect(await balance()).toMatchObject({ balance: 5 });
  expect(await payment(id)).toMatchObject({ status: 'PAID', returned_micros: 0 });
  await isSound();
});

test('a saved card pays again, and its owner alone can use it', async () => {
  const { caller } = await makeCustomer();
  const stranger = await makeCustomer();
  const setup = (await caller.get('/v1/setup_intents')).body.data;
  expect(code(await caller.post('/v1/payment_methods', { setup_intent: setup.id }))).toBe(2048);
  await world.browser.confirm(setup.client_secret, { number: CARDS.ok });
  const card = (await caller.post('/v1/payment_methods', { setup_intent: setup.id })).body.data;
  expect(card).toMatchObject({ brand: 'visa', last4: '4242', is_default: true });
  expect(code(await stranger.caller.post('/v1/payment_methods', { setup_intent: setup.id }))).toBe(2048);
  const body = { amount_micros: 30_000_000, payment_method_id: card.id };
  expect(code(await stranger.caller.post('/v1/payment_intents', body))).toBe(2043);
  const started = (await caller.post('/v1/payment_intents', body)).body.data;
  await world.browser.confirm(started.client_secret, { saved: started.provider_method_id });
  expect((await reportPaid(caller, started.id)).body.data.status).toBe('FROZEN');
  expect((await caller.delete(`/v1/payment_methods/${card.id}`)).status).toBe(204);
  expect((await caller.get('/v1/payment_methods')).body.data).toEqual([]);
});

test('a repeated request with the same key starts one payment', async () => {
  const { caller } = await makeCustomer();
  const start = (amount_micros: number) =>
    caller.post('/v1/payment_intents', { amount_micros }, { 'idempotency-key': 'once' });
  const replies = await Promise.all([start(50_000_000), start(50_000_000)]);
  expect(new Set(replies.map(({ body }) => body.data.client_secret)).size).toBe(1);
  expect(code(await start(60_000_000))).toBe(1011);
});

test('a bank transfer is credited when an operator confirms it', async () => {
  const { caller, balance, payment, decide } = await makeCustomer();
  const started = (await caller.post('/v1/payment_intents', { amount_micros: 40_000_000, type: 'Bank Transfer' })).body
    .data;
  expect(started).toMatchObject({ client_secret: null, reference: expect.stringMatching(/^PY\w{12}$/) });
  expect(await balance()).toMatchObject({ balance: 0 });
  expect((await decide(started.id, 'confirm')).body.data.status).toBe('PAID');
  expect(code(await decide(started.id, 'confirm'))).toBe(2045);
  expect(await balance()).toMatchObject({ balance: 40 });
  expect((await payment(started.id)).type).toBe('Bank Transfer');
});

test.each([
  ['below the minimum', 26_990_000],
  ['negative', -50_000_000],
  ['huge', 10 ** 15],
  ['with a fraction of a cent', 50_000_001],
  ['text', '50'],
])('an amount that is %s is refused', async (_, amount_micros) => {
  const { caller } = await makeCustomer();
  const reply = await caller.post('/v1/payment_intents', { amount_micros });
  expect([reply.status, code(reply)]).toEqual([400, 2041]);
});

test('a webhook with a forged, old, or missing signature changes nothing', async () => {
  const { createHmac } = await import('node:crypto');
  const body = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } });
  const post = (signature?: string) =>
    fetch(`${world.url}/callbacks/payments/stripe`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(signature ? { 'stripe-signature': signature } : {}) },
    });
  const sign = (seconds: number, secret = 'whsec_sandbox') =>
    `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
  const now = Math.floor(Date.now() / 1000);
  for (const signature of [undefined, 'x', sign(now, 'wrong'), sign(now - 3600)])
    expect((await post(signature)).status).toBe(400);
});

test('a user without permission to add payments cannot pay, and a customer cannot release', async () => {
  const { account_id, caller } = await makeCustomer();
  const { token } = await makeUser(world.kernel, account_id, { permissions: { PAYMENTS: 1 } });
  expect((await world.as(token).post('/v1/payment_intents', { amount_micros: 50_000_000 })).status).toBe(403);
  const { id } = await pay(world, caller, CARDS.ok);
  expect((await caller.post(`/v1/accounts/${account_id}/payments/${id}/release`)).status).toBe(403);
});

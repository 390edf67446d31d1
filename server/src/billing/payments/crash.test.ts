/**
 * Kills processes with SIGKILL between the steps of each payment flow. The customer or the job then repeats the step,
 * and Parley and the provider agree: every charge is booked once, and nothing else.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, freePort, until } from '../../test/world.ts';
import { charge } from '../billing.ts';
import { checkBalance } from '../low_balance/low_balance.ts';
import { syncPayment } from './sync.ts';

let folder: string;
let world: PaymentWorld;
let operator: { token: string; caller: Caller };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-payment-crash-'));
  world = await createPaymentWorld(folder, { role: 'api' });
  const { token } = await makeCompany(world.kernel, { operator: true });
  operator = { token, caller: world.as(token) };
});
afterAll(async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a call to a server that dies while it handles it. */
async function callDying(FAILPOINT: string, token: string, path: string, data: object, key?: string): Promise<void> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, PORT, ROLE: 'api', FAILPOINT },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  const exited = once(child, 'exit');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, ...(key ? { 'idempotency-key': key } : {}) },
    body: JSON.stringify({ data }),
  }).catch(() => null);
  expect((await exited)[1], FAILPOINT).toBe('SIGKILL');
}

interface Row {
  id: string;
  status: string;
  provider_id: string;
  returned_micros: number;
}
const listRows = (account_id: string) =>
  world.kernel.db.rows<Row>(sql`
    select id, status, provider_id, returned_micros from payments where account_id = ${account_id} order by id`);
const readBalance = (account_id: string) =>
  world.kernel.db.one<{ available: number; frozen: number }>(sql`
    select available_micros as available, frozen_micros as frozen from balances where account_id = ${account_id}`);

test.each(['payment.stored', 'payment.opened'])(
  'a payment whose server dies at %s is the same one when the browser repeats the request',
  async (failpoint) => {
    const { account_id, token } = await makeCompany(world.kernel, { balance_micros: 0 });
    const caller = world.as(token);
    const body = { amount_micros: 50_000_000 };
    await callDying(failpoint, token, '/v1/payment_intents', body, 'start');
    const started = await caller.post('/v1/payment_intents', body, { 'idempotency-key': 'start' });
    expect(started.status).toBe(201);
    await world.browser.confirm(started.body.data.client_secret, { number: CARDS.ok });
    await reportPaid(caller, started.body.data.id);
    expect(await listRows(account_id)).toMatchObject([{ id: started.body.data.id, status: 'FROZEN' }]);
    expect(await readBalance(account_id)).toEqual({ available: 0, frozen: 50_000_000 });
  },
);

test('a payment is booked once when the worker dies after it has read it', async () => {
  const { account_id, token } = await makeCompany(world.kernel, { balance_micros: 0 });
  const { id } = await pay(world, world.as(token), CARDS.ok);
  const killed = await startWorkerProcess(world, { FAILPOINT: 'payment.read' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(await readBalance(account_id)).toEqual({ available: 0, frozen: 0 });
  const [row] = await listRows(account_id);
  await Promise.all([syncPayment(world.kernel, row!.provider_id), reportPaid(world.as(token), id)]);
  expect(await readBalance(account_id)).toEqual({ available: 0, frozen: 50_000_000 });
});

test('a refund happens once when the server dies after the provider has refunded', async () => {
  const { account_id, token } = await makeCompany(world.kernel, { balance_micros: 0 });
  const { id } = await pay(world, world.as(token), CARDS.ok);
  await reportPaid(world.as(token), id);
  const path = `/v1/accounts/${account_id}/payments/${id}`;
  expect((await operator.caller.post(`${path}/release`)).status).toBe(200);
  const body = { amount_micros: 20_000_000, reason: 'The customer asked for it' };
  await callDying('payment.refunded', operator.token, `${path}/refund`, body);
  expect(await readBalance(account_id)).toEqual({ available: 50_000_000, frozen: 0 });
  // The operator repeats the refund: the provider knows it, so no second one is made.
  expect((await operator.caller.post(`${path}/refund`, body)).status).toBe(200);
  expect(await readBalance(account_id)).toEqual({ available: 30_000_000, frozen: 0 });
  expect(await listRows(account_id)).toMatchObject([{ status: 'PARTIALLY_REFUNDED', returned_micros: 20_000_000 }]);
});

test.each(['top_up.stored', 'top_up.charged'])(
  'an automatic top-up charges once when the worker dies at %s',
  async (FAILPOINT) => {
    const { account_id, token } = await makeCompany(world.kernel, { balance_micros: 100_000_000 });
    const caller = world.as(token);
    const setup = (await caller.get('/v1/setup_intents')).body.data;
    await world.browser.confirm(setup.client_secret, { number: CARDS.ok });
    const card = (await caller.post('/v1/payment_methods', { setup_intent: setup.id })).body.data;
    await world.kernel.db.run(sql`
      insert into payment_sources (account_id, fingerprint)
      select account_id, fingerprint from payment_methods where account_id = ${account_id}`);
    const settings = { enabled: true, threshold_micros: 50_000_000, amount_micros: 30_000_000 };
    const limits = { payment_method_id: card.id, daily_limit: 3, monthly_limit_micros: 300_000_000 };
    expect((await caller.put(`/v1/balances/${account_id}`, { ...settings, ...limits })).status).toBe(200);
    await world.kernel.db.tx((tx) =>
      charge(tx, { account_id, amount_micros: 60_000_000, key: 'spend', note: 'Spent in this test' }),
    );
    const killed = await startWorkerProcess(world, { FAILPOINT });
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect((await listRows(account_id)).map(({ status }) => status)).toEqual(['PENDING']);
    await Promise.all([checkBalance(world.kernel, account_id), checkBalance(world.kernel, account_id)]);
    expect((await listRows(account_id)).map(({ status }) => status)).toEqual(['PAID']);
    expect(await readBalance(account_id)).toEqual({ available: 70_000_000, frozen: 0 });
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import type { Caller, Reply } from '../../test/world.ts';
import { refundProposal } from './refunds.ts';

let folder: string;
let world: PaymentWorld;
let first: Caller;
let second: Caller;
let operators: Company;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-proposals-'));
  world = await createPaymentWorld(folder, { role: 'api', settings: { SECOND_OPERATOR_ABOVE: 'USD=100,EUR=50' } });
  operators = await makeCompany(world.kernel, { operator: true });
  first = world.as(operators.token);
  const permissions = { ACCOUNTS: 15, PAYMENTS: 15 };
  second = world.as((await makeUser(world.kernel, operators.account_id, { permissions })).token);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const code = (reply: Reply) => reply.body.errors[0]!.code;
const isSound = async () => expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
const TOP_UP = { amount_micros: 250_000_000, kind: 'top_up', reason: 'Bank transfer', reference: 'INV-1' };

async function makeCustomer(balance_micros = 0) {
  const company = await makeCompany(world.kernel, { balance_micros });
  const path = `/v1/accounts/${company.account_id}`;
  const available = async () =>
    (
      await world.kernel.db.one<{ available_micros: number }>(
        sql`select available_micros from balances where account_id = ${company.account_id}`,
      )
    ).available_micros;
  const propose = (body: object, by = first) => by.post(`${path}/balance_proposals`, body);
  const decide = (id: string, status: string, by = second) =>
    by.put(`${path}/balance_proposals/${id}`, { status, reason: 'Checked' });
  const read = async (id: string) =>
    (await first.get(`/v1/balance_proposals?filter[account_id]=${company.account_id}`)).body.data.find(
      (row: { id: string }) => row.id === id,
    );
  return { ...company, path, available, propose, decide, read };
}

test('a change above the amount is refused, and takes effect when another operator approves it', async () => {
  const { path, available, propose, decide, account_id } = await makeCustomer();
  expect(code(await first.post(`${path}/top_ups`, TOP_UP))).toBe(2500);
  const proposed = await propose(TOP_UP);
  expect([proposed.status, proposed.body.data]).toMatchObject([
    201,
    { status: 'waiting', amount_micros: 250_000_000, currency: 'USD', is_own: true, decided_by: null },
  ]);
  const { id } = proposed.body.data;
  expect(await available()).toBe(0);
  expect(code(await decide(id, 'approved', first))).toBe(2503);
  expect((await decide(id, 'approved')).body.data).toMatchObject({ status: 'applied', is_own: false });
  expect(await available()).toBe(250_000_000);
  expect(code(await decide(id, 'approved'))).toBe(2502);
  const log = await world.kernel.db.rows<{ action: string; detail: { proposed_by?: string } }>(sql`
    select action, detail from audit_log where target_id = ${account_id} order by number`);
  expect(log.map(({ action }) => action).sort()).toEqual([
    'balance.proposal_approved',
    'balance.proposed',
    'balance.topped_up',
  ]);
  expect(log.find(({ action }) => action === 'balance.topped_up')!.detail.proposed_by).not.toBe('');
  await isSound();
});

test('an amount split into several changes within a day also needs approval', async () => {
  const { path, available } = await makeCustomer();
  const part = (reference: string) => ({ ...TOP_UP, kind: 'bonus', amount_micros: 60_000_000, reference });
  expect((await first.post(`${path}/top_ups`, part('A'))).status).toBe(201);
  expect(code(await first.post(`${path}/top_ups`, part('B')))).toBe(2500);
  const together = await Promise.all(
    ['C', 'D', 'E'].map((reference) => second.post(`${path}/top_ups`, part(reference))),
  );
  expect(together.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await first.post(`${path}/top_ups`, part('A'))).status).toBe(201);
  expect(await available()).toBe(120_000_000);
});

test('double clicks propose once and book once', async () => {
  const { available, propose, decide } = await makeCustomer();
  const proposed = await Promise.all([propose(TOP_UP), propose(TOP_UP), propose(TOP_UP)]);
  expect(new Set(proposed.map(({ body }) => body.data.id)).size).toBe(1);
  expect(code(await propose({ ...TOP_UP, amount_micros: 300_000_000 }))).toBe(2504);
  const { id } = proposed[0]!.body.data;
  const decided = await Promise.all(Array.from({ length: 6 }, (_, n) => decide(id, n % 2 ? 'approved' : 'rejected')));
  expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
  const { status } = decided.find((reply) => reply.status === 200)!.body.data;
  expect(await available()).toBe(status === 'applied' ? 250_000_000 : 0);
  await isSound();
});

test('a rejected or expired proposal changes nothing, and a new one can follow', async () => {
  const { account_id, available, propose, decide, read } = await makeCustomer();
  const rejected = (await propose(TOP_UP)).body.data.id;
  expect((await decide(rejected, 'rejected')).body.data).toMatchObject({
    status: 'rejected',
    decision_reason: 'Checked',
  });
  const expired = (await propose(TOP_UP)).body.data.id;
  await world.kernel.db.run(sql`
    update balance_proposals set expire_date = now() - interval '1 second'
    where account_id = ${account_id} and id = ${expired}`);
  expect(code(await decide(expired, 'approved'))).toBe(2502);
  expect((await read(expired)).status).toBe('expired');
  const waiting = await first.get('/v1/balance_proposals?filter[statuses]=waiting');
  expect(waiting.body.data.map(({ id }: { id: string }) => id)).not.toContain(expired);
  const third = (await propose(TOP_UP)).body.data.id;
  expect((await decide(third, 'approved')).body.data.status).toBe('applied');
  expect(await available()).toBe(250_000_000);
  expect(code(await propose(TOP_UP))).toBe(7937);
});

test('a correction that the balance no longer covers waits', async () => {
  const { path, available, propose, decide, read } = await makeCustomer(150_000_000);
  const correction = { kind: 'correction', amount_micros: 140_000_000, reason: 'Credited twice', reference: 'C-1' };
  const { kind: _, ...direct } = correction;
  expect(code(await first.post(`${path}/corrections`, direct))).toBe(2500);
  const { id } = (await propose(correction)).body.data;
  await second.post(`${path}/corrections`, { ...direct, amount_micros: 20_000_000, reference: 'C-2' });
  expect(code(await decide(id, 'approved'))).toBe(7909);
  expect((await read(id)).status).toBe('waiting');
  await first.post(`${path}/top_ups`, { ...TOP_UP, amount_micros: 50_000_000 });
  expect((await decide(id, 'approved')).body.data.status).toBe('applied');
  expect(await available()).toBe(40_000_000);
});

test('a bank transfer above the amount is confirmed by two operators', async () => {
  const { token, path, available, propose, decide } = await makeCustomer();
  const { id: payment_id } = (
    await world.as(token).post('/v1/payment_intents', { amount_micros: 400_000_000, type: 'Bank Transfer' })
  ).body.data;
  expect(code(await first.post(`${path}/payments/${payment_id}/confirm`))).toBe(2500);
  const { id } = (await propose({ kind: 'transfer', payment_id, reason: 'On the bank statement' })).body.data;
  expect((await decide(id, 'approved')).body.data).toMatchObject({ status: 'applied', amount_micros: 400_000_000 });
  expect(await available()).toBe(400_000_000);
  await isSound();
});

test.each([
  ['without an amount', { kind: 'bonus', reason: 'Welcome', reference: 'X' }, 1705],
  ['without a reference', { kind: 'bonus', reason: 'Welcome', amount_micros: 5 }, 1705],
  ['of zero', { ...TOP_UP, amount_micros: 0 }, 7938],
  [
    'for a payment of another account',
    { kind: 'refund', reason: 'Asked', payment_id: '0198c000-0000-7000-8000-000000000000' },
    2042,
  ],
])('a proposal %s is refused', async (_, body, expected) => {
  const { propose } = await makeCustomer();
  expect(code(await propose(body))).toBe(expected);
});

test('an operator needs the permission for the kind of change', async () => {
  const { propose, decide } = await makeCustomer(300_000_000);
  const { token } = await makeUser(world.kernel, operators.account_id, { permissions: { PAYMENTS: 1 | 2 } });
  const adder = world.as(token);
  const correction = { kind: 'correction', amount_micros: 200_000_000, reason: 'Credited twice', reference: 'C-1' };
  expect(code(await propose(correction, adder))).toBe(1136);
  const { id } = (await propose(correction)).body.data;
  expect(code(await decide(id, 'approved', adder))).toBe(1136);
});

test('an approved refund is made once when the worker is killed before it is stored', async () => {
  const { token, account_id, path, available, propose, decide, read } = await makeCustomer();
  const caller = world.as(token);
  const { id: payment_id } = await pay(world, caller, CARDS.ok, { amount_micros: 200_000_000 });
  await reportPaid(caller, payment_id);
  await first.post(`${path}/payments/${payment_id}/release`);
  expect(code(await first.post(`${path}/payments/${payment_id}/refund`, { reason: 'Asked for it' }))).toBe(2500);
  const refund = { kind: 'refund', payment_id, amount_micros: 150_000_000, reason: 'Asked for it' };
  const { id } = (await propose(refund)).body.data;
  expect((await decide(id, 'approved')).body.data.status).toBe('processing');
  expect(await available()).toBe(200_000_000);
  const killed = await startWorkerProcess(world, { FAILPOINT: 'after_proposed_refund' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect((await read(id)).status).toBe('processing');
  // The job queue runs the job again when the heartbeat of the dead worker is overdue.
  await refundProposal(world.kernel, account_id, id);
  await refundProposal(world.kernel, account_id, id);
  expect((await read(id)).status).toBe('applied');
  expect(await available()).toBe(50_000_000);
  const { provider_id } = await world.kernel.db.one<{ provider_id: string }>(
    sql`select provider_id from payments where account_id = ${account_id} and id = ${payment_id}`,
  );
  const intent = await fetch(`${world.browser.url}/v1/payment_intents/${provider_id}?expand[]=latest_charge`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  });
  expect(((await intent.json()) as { latest_charge: { amount_refunded: number } }).latest_charge.amount_refunded).toBe(
    15_000,
  );
  await isSound();
});

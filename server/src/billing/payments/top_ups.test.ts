import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';

let world: World;
let operators: Company;
let operator: Caller;
let company: Company;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  operator = world.as(operators.token);
  company = await makeCompany(world.kernel, { balance_micros: 0 });
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const topUp = (body: object, id = company.account_id) => operator.post(`/v1/accounts/${id}/top_ups`, body);
const available = async () =>
  (
    await world.kernel.db.one<{ available_micros: number }>(
      sql`select available_micros from balances where account_id = ${company.account_id}`,
    )
  ).available_micros;
const TRANSFER = { amount_micros: 25_500_001, reason: 'Bank transfer', reference: 'INV-2026-1' };

test('a top-up is exact in the ledger and recorded in the customer’s audit log', async () => {
  const reply = await topUp(TRANSFER);
  expect(reply.status).toBe(201);
  expect(reply.body.data).toMatchObject({
    kind: 'top_up',
    debit: 'outside',
    credit: 'available',
    amount_micros: 25_500_001,
    available_after_micros: 25_500_001,
    note: 'Bank transfer (INV-2026-1)',
  });
  expect(await available()).toBe(25_500_001);
  const entry = await world.kernel.db.one<{ detail: object; user_id: string }>(sql`
    select detail, user_id from audit_log where account_id = ${company.account_id} and action = 'balance.topped_up'`);
  expect(entry).toEqual({ user_id: operators.user_id, detail: { ...TRANSFER, kind: 'top_up' } });
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a repeated or concurrent call with the same reference adds nothing', async () => {
  const before = await available();
  const again = { amount_micros: 1_000_000, reason: 'Cash', reference: 'CASH-1' };
  const replies = await Promise.all([topUp(again), topUp(again), topUp(again)]);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await available()).toBe(before + 1_000_000);
});

test('a reference cannot be used for another amount or kind', async () => {
  const before = await available();
  expect(code(await topUp({ ...TRANSFER, amount_micros: 1 }))).toBe(7937);
  expect(code(await topUp({ ...TRANSFER, kind: 'bonus' }))).toBe(7937);
  expect(await available()).toBe(before);
});

test.each([
  ['an amount of zero', { ...TRANSFER, amount_micros: 0, reference: 'x' }, 400],
  ['a negative amount', { ...TRANSFER, amount_micros: -5, reference: 'x' }, 400],
  ['an amount above a million', { ...TRANSFER, amount_micros: 1_000_000_000_001, reference: 'x' }, 400],
  ['no reason', { ...TRANSFER, reason: ' ', reference: 'x' }, 400],
  ['no reference', { ...TRANSFER, reference: '' }, 400],
])('a top-up with %s is refused', async (_, body, status) => {
  expect((await topUp(body)).status).toBe(status);
});

test('only operators who may add payments can top up', async () => {
  const customer = world.as(company.token);
  expect((await customer.post(`/v1/accounts/${company.account_id}/top_ups`, TRANSFER)).status).toBe(403);
  const { token } = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 15, PAYMENTS: 1 } });
  const reply = await world.as(token).post(`/v1/accounts/${company.account_id}/top_ups`, TRANSFER);
  expect(reply.status).toBe(403);
});

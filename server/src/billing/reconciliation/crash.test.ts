import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay } from '../../test/payments.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { reconcile } from './run.ts';

let folder: string;
let world: PaymentWorld;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-reconciliation-crash-'));
  world = await createPaymentWorld(folder, { role: 'api' });
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a payment is settled once when the worker is killed before it stores the position', async () => {
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const company = await makeCompany(world.kernel, { balance_micros: 0 });
  const caller = world.as(company.token);
  const { id } = await pay(world, caller, CARDS.lost);
  await world.kernel.db.run(sql`
    update payments set create_date = now() - interval '1 hour' where account_id = ${company.account_id}`);
  expect((await operator.post('/v1/reconciliations')).status).toBe(201);
  // The fourth page has our payments that the provider did not list.
  const killed = await startWorkerProcess(world, { FAILPOINT: 'after_reconciled_page:4' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  const run = () => world.kernel.db.one<{ stage: string }>(sql`select stage from reconciliations`);
  expect((await run()).stage).toBe('ours');
  // The job queue runs the job again when the heartbeat of the dead worker is overdue.
  await reconcile(world.kernel);
  expect((await run()).stage).toBe('done');
  expect((await caller.get(`/v1/payments/${id}`)).body.data.status).toBe('FROZEN');
  expect((await caller.get(`/v1/balances/${company.account_id}`)).body.data.frozen_micros).toBe(50_000_000);
  const found = (await operator.get('/v1/payment_differences')).body.data;
  expect(found).toMatchObject([{ payment_id: id, kind: 'status', status: 'settled' }]);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

/**
 * Kills workers with SIGKILL while they send deliveries. Every delivery arrives, those of one message arrive in order,
 * and the package of Standard Webhooks verifies each. `npm run soak` sends 100,000 deliveries and kills a worker every
 * few seconds.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { isSoak } from '../test/soak/soak.ts';
import { startWorkerProcess, type WorkerProcess } from '../test/worker.ts';
import { createWorld, until, type World } from '../test/world.ts';

const STATUSES = ['sent', 'delivered', 'read', 'expired'] as const;
const MESSAGES = isSoak ? 25_000 : 75;
const TOTAL = MESSAGES * STATUSES.length;
const BATCH = 500;
/** A worker is killed after this many more deliveries, wherever it is. */
const PER_KILL = isSoak ? 3_000 : 110;
const LIMIT_MS = isSoak ? 3_600_000 : 60_000;

let world: World;
let company: Company;
let server: Server;
/** The statuses of each message, in the order of their arrival. */
const arrived = new Map<string, number[]>();
let distinct = 0;
let verifier: Webhook;
let refused = 0;
/** Called for each delivery that arrives for the first time. */
let onArrival: () => void = () => {};

function receive(text: string, headers: IncomingHttpHeaders): void {
  const { data } = JSON.parse(text) as { data: { id: string; status: (typeof STATUSES)[number] } };
  try {
    verifier.verify(text, headers as Record<string, string>);
  } catch {
    refused++;
  }
  const steps = arrived.get(data.id) ?? [];
  const step = STATUSES.indexOf(data.status);
  const isNew = !steps.includes(step);
  arrived.set(data.id, [...steps, step]);
  if (!isNew) return;
  distinct++;
  onArrival();
}

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      receive(text, request.headers);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await world?.stop();
  server?.closeAllConnections();
  server?.close();
});

const change = (id: string, status: string) => ({
  ...{ id, account_id: company.account_id, direction: 'MT', channel: 'SMS', from: 'Shop', to: '447700900123' },
  ...{ text: 'Hello', status, sender_id: company.user_id, mccmnc: null, price: 0, type: 'text' },
  ...{ create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
});

async function emitAll(): Promise<void> {
  const ids = Array.from({ length: MESSAGES }, newId);
  for (const status of STATUSES)
    for (let start = 0; start < ids.length; start += BATCH)
      await world.kernel.db.tx(async (tx) => {
        for (const id of ids.slice(start, start + BATCH))
          emit(tx, messageStatusChanged, company.account_id, change(id, status) as never);
      });
}

/** Ends the leases of a dead worker, which last a minute. */
const endLeases = () =>
  world.kernel.db.tx(async (tx) => {
    await tx.run(sql`update webhook_deliveries set due_date = now() where status = 'pending'`);
    await tx.run(sql`update webhooks set next_date = now()`);
  });

test('no delivery is lost, and the deliveries of a message keep their order, when workers are killed', {
  timeout: LIMIT_MS,
}, async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const events = STATUSES.map((status) => `message.${status}`);
  const created = await world.as(company.token).post('/v1/webhooks', { url, events });
  expect(created.status).toBe(201);
  verifier = new Webhook(created.body.data.secret);
  await emitAll();
  const workers: WorkerProcess[] = [];
  // A worker must not outlive a test that fails.
  onTestFinished(() => {
    for (const worker of workers) worker.signal('SIGKILL');
  });
  const startWorker = async () => {
    const worker = await startWorkerProcess(world);
    workers.push(worker);
    return worker;
  };
  let kills = 0;
  while (distinct < TOTAL - PER_KILL / 2) {
    const goal = distinct + PER_KILL;
    const isDue = new Promise<void>((resolve) => {
      onArrival = () => {
        if (distinct >= Math.min(goal, TOTAL)) resolve();
      };
    });
    const worker = await startWorker();
    await isDue;
    worker.signal('SIGKILL');
    await worker.ended;
    kills++;
    await endLeases();
  }
  expect(kills).toBeGreaterThan(1);
  const last = await startWorker();
  await until('the last results are stored', async () => {
    const { left } = await world.kernel.db.one<{ left: number }>(sql`
      select count(*)::int as left from webhook_deliveries where status <> 'delivered'`);
    return left === 0;
  });
  await last.stop();
  expect(distinct).toBe(TOTAL);
  expect(refused).toBe(0);
  expect(arrived.size).toBe(MESSAGES);
  const disordered = [...arrived.values()].filter((steps) => steps.some((step, at) => at > 0 && step < steps[at - 1]!));
  expect(disordered).toEqual([]);
  const { count } = await world.kernel.db.one<{ count: number }>(sql`
    select count(*)::int as count from webhook_deliveries where account_id = ${company.account_id}`);
  expect(count, 'each event has exactly one delivery').toBe(TOTAL);
});

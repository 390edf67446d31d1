import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedgers } from './billing/jobs.ts';
import { sql } from './kernel/db/db.ts';
import { serveMetrics } from './kernel/metrics.ts';
import { measure } from './measures.ts';
import { makeCompany } from './test/make.ts';
import { createWorld, type World } from './test/world.ts';

let world: World;
let address: string;
let stop: () => void;
let ready = true;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const server = await serveMetrics(0, '127.0.0.1', { ready: async () => ready, measure: () => measure(world.kernel) });
  stop = () => server.close();
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  stop();
  await world.stop();
});

const ask = async (path: string) => {
  const response = await fetch(address + path);
  return { status: response.status, text: await response.text() };
};
const numberOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

test('Prometheus gets the process, the requests, and what waits in the database', async () => {
  await world.as().get('/v1/nothing-here');
  await world.kernel.db.run(sql`
    insert into mails (id, recipient, subject, html, body) values (gen_random_uuid(), 'a@example.test', 's', 'h', 't')`);
  await world.kernel.db.run(sql`
    insert into dispatch (account_id, message_id, channel, not_before, expire_date, number, sender_address)
    values (gen_random_uuid(), gen_random_uuid(), 'SMS', now() - interval '1 minute', now() + interval '1 hour', '15551234567', 'X')`);
  await world.kernel.db.run(sql`
    insert into events (account_id, id, type, payload, live)
    values (gen_random_uuid(), '01890000-0000-7000-8000-000000000000', 'x', '{}', false)`);
  const { status, text } = await ask('/metrics');
  expect(status).toBe(200);
  expect(numberOf(text, 'mails_waiting')).toBe(1);
  expect(numberOf(text, 'msg_queue_depth{channel="SMS",stage="queued"}')).toBe(1);
  expect(numberOf(text, 'msg_queue_age_seconds{channel="SMS"}')).toBeGreaterThanOrEqual(60);
  expect(numberOf(text, 'outbox_lag_seconds')).toBeGreaterThan(1_000_000);
  expect(numberOf(text, 'db_pool_waiting')).toBe(0);
  for (const name of [
    'http_server_request_duration_seconds',
    'nodejs_eventloop_lag_seconds',
    'dlr_unmatched',
    'msg_state_total',
    'sse_connections',
  ])
    expect(text).toContain(`# TYPE ${name} `);
  // A label value is a series for ever: no accounts, no numbers.
  expect(text).not.toMatch(/account_id|15551234567|[0-9a-f]{8}-[0-9a-f]{4}-7/);

  await world.kernel.db.run(sql`delete from dispatch`);
  expect((await ask('/metrics')).text).not.toContain('msg_queue_depth{');
});

test('refused sign-ins are counted by their reason, whoever it was', async () => {
  const countOf = async (reason: string) =>
    numberOf((await ask('/metrics')).text, `login_failures_total{reason="${reason}"}`) || 0;
  const before = { credentials: await countOf('credentials'), paused: await countOf('paused') };
  const authorization = `Basic ${Buffer.from('nobody@example.test:guess').toString('base64')}`;
  for (let guess = 0; guess < 6; guess++) await world.as().raw('/v1/users/self/token', { headers: { authorization } });
  expect((await countOf('credentials')) - before.credentials).toBe(5);
  expect((await countOf('paused')) - before.paused).toBe(1);
});

test('money that does not add up is told after the next check, until it does', async () => {
  const told = async () => numberOf((await ask('/metrics')).text, 'ledger_mismatch');
  const { account_id } = await makeCompany(world.kernel);
  expect(await checkLedgers(world.kernel)).toBe(0);
  expect(await told()).toBe(0);
  const add = (micros: number) =>
    world.kernel.db.run(sql`
      update balances set available_micros = available_micros + ${micros} where account_id = ${account_id}`);
  await add(1);
  expect(await told()).toBe(0);
  await checkLedgers(world.kernel);
  expect(await told()).toBe(1);
  await add(-1);
  await checkLedgers(world.kernel);
  const { text } = await ask('/metrics');
  expect(numberOf(text, 'ledger_mismatch')).toBe(0);
  expect(numberOf(text, 'ledger_check_age_seconds')).toBeLessThan(60);
});

test('the health of a process is asked at the same door', async () => {
  expect((await ask('/livez')).status).toBe(200);
  expect((await ask('/readyz')).status).toBe(200);
  ready = false;
  expect((await ask('/readyz')).status).toBe(503);
  expect((await ask('/')).status).toBe(404);
});

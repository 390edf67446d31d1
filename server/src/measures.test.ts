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

const fetchText = async (path: string) => {
  const response = await fetch(address + path);
  return { status: response.status, text: await response.text() };
};
const readSeries = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

test('metrics cover the process, its requests, and the queues in the database', async () => {
  await world.as().get('/v1/nothing-here');
  await world.kernel.db.run(sql`
    insert into mails (id, recipient, subject, html, body)
    values (gen_random_uuid(), 'a@example.test', 's', 'h', 't')`);
  await world.kernel.db.run(sql`
    insert into dispatch (account_id, message_id, channel, not_before, expire_date, number, sender_address)
    values (gen_random_uuid(), gen_random_uuid(), 'SMS', now() - interval '1 minute', now() + interval '1 hour',
            '15551234567', 'X')`);
  await world.kernel.db.run(sql`
    insert into event_queue (account_id, id, live)
    values (gen_random_uuid(), '01890000-0000-7000-8000-000000000000', false)`);
  const { status, text } = await fetchText('/metrics');
  expect(status).toBe(200);
  expect(readSeries(text, 'mails_waiting')).toBe(1);
  expect(readSeries(text, 'msg_queue_depth{channel="SMS",stage="queued"}')).toBe(1);
  expect(readSeries(text, 'msg_queue_age_seconds{channel="SMS"}')).toBeGreaterThanOrEqual(60);
  expect(readSeries(text, 'outbox_lag_seconds')).toBeGreaterThan(1_000_000);
  expect(readSeries(text, 'db_pool_waiting')).toBe(0);
  for (const name of [
    'http_server_request_duration_seconds',
    'nodejs_eventloop_lag_seconds',
    'dlr_unmatched',
    'msg_state_total',
    'sse_connections',
  ])
    expect(text).toContain(`# TYPE ${name} `);
  // Each label value creates a permanent series, so labels contain no accounts and no phone numbers. Operators name
  // connections, and the tests before this one in the same process gave some of them an ID as a name. The parameters of
  // a route are names.
  expect(text.replaceAll(/connection="[^"]*"|\/:\w+/g, '')).not.toMatch(
    /account_id|15551234567|[0-9a-f]{8}-[0-9a-f]{4}-7/,
  );

  await world.kernel.db.run(sql`delete from dispatch`);
  expect((await fetchText('/metrics')).text).not.toContain('msg_queue_depth{');
});

test('failed sign-ins are counted by reason', async () => {
  const countFailures = async (reason: string) =>
    readSeries((await fetchText('/metrics')).text, `login_failures_total{reason="${reason}"}`) || 0;
  const before = { credentials: await countFailures('credentials'), paused: await countFailures('paused') };
  const authorization = `Basic ${Buffer.from('nobody@example.test:guess').toString('base64')}`;
  for (let guess = 0; guess < 6; guess++) await world.as().raw('/v1/users/self/token', { headers: { authorization } });
  expect((await countFailures('credentials')) - before.credentials).toBe(5);
  expect((await countFailures('paused')) - before.paused).toBe(1);
});

test('an unbalanced ledger is reported from the next check until it is balanced again', async () => {
  const mismatches = async () => readSeries((await fetchText('/metrics')).text, 'ledger_mismatch');
  const { account_id } = await makeCompany(world.kernel);
  expect(await checkLedgers(world.kernel)).toBe(0);
  expect(await mismatches()).toBe(0);
  const add = (micros: number) =>
    world.kernel.db.run(sql`
      update balances set available_micros = available_micros + ${micros} where account_id = ${account_id}`);
  await add(1);
  expect(await mismatches()).toBe(0);
  await checkLedgers(world.kernel);
  expect(await mismatches()).toBe(1);
  await add(-1);
  await checkLedgers(world.kernel);
  const { text } = await fetchText('/metrics');
  expect(readSeries(text, 'ledger_mismatch')).toBe(0);
  expect(readSeries(text, 'ledger_check_age_seconds')).toBeLessThan(60);
});

test('the metrics port serves the health checks of its process', async () => {
  expect((await fetchText('/livez')).status).toBe(200);
  expect((await fetchText('/readyz')).status).toBe(200);
  ready = false;
  expect((await fetchText('/readyz')).status).toBe(503);
  expect((await fetchText('/')).status).toBe(404);
});

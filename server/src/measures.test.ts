import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from './kernel/db.ts';
import { serveMetrics } from './kernel/metrics.ts';
import { measure } from './measures.ts';
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

test('the health of a process is asked at the same door', async () => {
  expect((await ask('/livez')).status).toBe(200);
  expect((await ask('/readyz')).status).toBe(200);
  ready = false;
  expect((await ask('/readyz')).status).toBe(503);
  expect((await ask('/')).status).toBe(404);
});

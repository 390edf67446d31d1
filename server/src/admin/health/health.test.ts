import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { duration, size } from './checks.ts';
import { sampleHealth } from './health.ts';

let world: World;
let operators: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
});
afterAll(() => world?.stop());

const health = async () => (await api.get('/v1/health')).body.data;
const check = async (name: string) =>
  (await health()).checks.find((row: { name: string }) => row.name === name) as {
    status: string;
    value: string;
    detail: string;
  };

test('an installation without workers is reported as unhealthy', async () => {
  const body = await health();
  expect(body.status).toBe('bad');
  expect(await check('workers')).toMatchObject({ status: 'bad', value: 'None' });
  expect(body.workers).toEqual([]);
  expect(body.database_bytes).toBeGreaterThan(1_000_000);
  expect(body.release).toMatch(/^\d+\.\d+\.\d+/);
  expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['messages', 'mail.send']),
  );
  expect(await check('database')).toMatchObject({ status: 'good', detail: '' });
});

test('a worker is shown as alive while its lease is valid', async () => {
  await world.kernel.db.run(sql`
    insert into workers (id, process, host, role, lease_until)
    values (${newId()}, '[]', 'node-1:42', 'worker', now() + interval '5 seconds'),
           (${newId()}, '[]', 'node-2:43', 'all', now() - interval '1 minute')`);
  const { workers } = await health();
  expect(workers.map(({ host, role, alive }: Record<string, unknown>) => [host, role, alive])).toEqual([
    ['node-1:42', 'worker', true],
    ['node-2:43', 'all', false],
  ]);
  expect(await check('workers')).toMatchObject({ status: 'good', value: '1 worker' });
});

test('the health checks report binds that are down, waiting messages and emails, and failed jobs', async () => {
  const { connection_id } = await makeCarrier(world.kernel, { name: 'North', settings: { binds: 2 } });
  expect(await check('lines')).toMatchObject({ status: 'bad', value: '0 of 2 up', detail: 'North: 0 of 2' });
  const { account_id } = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`
    insert into dispatch (account_id, message_id, connection_id, channel, not_before, expire_date, number,
      sender_address)
    values (${account_id}, ${newId()}, ${connection_id}, 'SMS', now() - interval '5 minutes', now() + interval '1 day',
      '447400000001', 'X')`);
  expect(await check('messages')).toMatchObject({
    status: 'warning',
    value: '1',
    detail: 'The oldest has been due for 5 min.',
  });
  expect((await health()).waiting).toMatchObject([
    { connection_id, connection: 'North', traffic_class: 'single', count: 1, is_minimum: false, oldest_seconds: 300 },
  ]);
  await world.kernel.db.run(sql`
    insert into mails (id, recipient, subject, html, body, create_date)
    values (${newId()}, 'a@b.example', 'S', 'h', 'b', now() - interval '2 hours')`);
  expect(await check('mails')).toMatchObject({
    status: 'warning',
    value: '1',
    detail: expect.stringContaining('SMTP_URL'),
  });
  await world.kernel.db.run(sql`
    insert into pgboss.job (name, state, retry_limit, start_after) values ('mail.send', 'failed', 0, now())`);
  expect(await check('jobs')).toMatchObject({ status: 'warning', detail: 'Failed in the last day: mail.send (1).' });
  const { queues } = await health();
  expect(queues[0]).toMatchObject({ name: 'messages', waiting: 1, active: 0 });
  expect(queues[0].oldest_seconds).toBeGreaterThanOrEqual(300);
  await world.kernel.db.run(sql`delete from dispatch`);
});

test('an untrusted proxy is reported to an operator who connects through it', async () => {
  expect(await check('proxy')).toMatchObject({ status: 'good', value: 'None seen' });
  const { body } = await api.raw('/v1/health', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(body.data.checks.find(({ name }: { name: string }) => name === 'proxy')).toMatchObject({
    status: 'warning',
    value: 'Not trusted',
    detail: expect.stringContaining('TRUST_PROXY=127.0.0.1'),
  });
});

test('the doctor runs only once for concurrent requests and stores its findings', async () => {
  expect((await health()).doctor).toEqual({ date: null, findings: [] });
  const runs = await Promise.all([api.post('/v1/doctor_runs', {}), api.post('/v1/doctor_runs', {})]);
  expect(runs.map(({ status }) => status)).toEqual([200, 200]);
  expect(runs[0]!.body.data).toMatchObject({ date: expect.any(String), findings: [] });
  expect(await world.kernel.db.rows(sql`select user_id from doctor_runs`)).toEqual([{ user_id: operators.user_id }]);
  expect(await check('doctor')).toMatchObject({ status: 'good', value: 'All checks passed' });

  const { account_id } = await makeCompany(world.kernel);
  await world.kernel.db.run(
    sql`update balances set available_micros = available_micros + 1 where account_id = ${account_id}`,
  );
  const { findings } = (await api.post('/v1/doctor_runs', {})).body.data;
  expect(findings.length).toBeGreaterThan(0);
  expect(findings[0]).toMatchObject({ count: 1, check: expect.stringMatching(/^M/) });
  const after = await health();
  expect(after.doctor.findings).toEqual(findings);
  expect(await check('doctor')).toMatchObject({ status: 'bad' });
});

test('the doctor reports the unfinished check when it runs out of time', async () => {
  const { examineWithin } = await import('../../doctor/doctor.ts');
  const findings = await examineWithin(world.kernel.db, 0);
  expect(findings.at(-1)).toMatchObject({ ok: false, title: expect.stringContaining('did not finish in time') });
});

test('durations and sizes are shown in short form', () => {
  expect([5, 119, 300, 10_000, 400_000].map(duration)).toEqual(['5 s', '119 s', '5 min', '3 h', '5 days']);
  expect([2_500, 48_000_000, 1_200_000_000].map(size)).toEqual(['2.5 kB', '48 MB', '1.2 GB']);
});

test('a connection over HTTP counts as down when it has no bind, even if another has a surplus', async () => {
  const { kernel } = world;
  await kernel.db.run(sql`update connections set enabled = false`);
  const viber = await makeHttpCarrier(kernel, 'Viber');
  const sms = await makeCarrier(kernel, { name: 'South', settings: { binds: 1 } });
  await openBinds(sms.connection_id, 3);
  expect(await check('lines')).toMatchObject({ status: 'bad', value: '1 of 2 up', detail: 'Viber: 0 of 1' });
  expect((await health()).status).toBe('bad');
  await openBinds(viber, 1);
  expect(await check('lines')).toMatchObject({ status: 'good', value: '2 of 2 up', detail: '' });
  // A session describes itself.
  await kernel.db.run(sql`update binds set detail = 'transceiver as us' where connection_id = ${sms.connection_id}`);
  expect(await check('lines')).toMatchObject({ status: 'good', detail: '' });
  // The bind tries again after an error, but no message has been accepted since.
  await kernel.db.run(sql`update binds set detail = 'HTTP 503' where connection_id = ${viber}`);
  expect(await check('lines')).toMatchObject({ status: 'warning', detail: expect.stringContaining('HTTP 503') });
  await kernel.db.run(sql`update connections set paused_date = now(), pause_reason = 'Unpaid' where id = ${viber}`);
  expect(await check('lines')).toMatchObject({
    status: 'bad',
    value: '1 of 2 up',
    detail: 'Viber: paused (Unpaid)',
  });
});

test('receipts that match no message for a minute are a warning', async () => {
  const { kernel } = world;
  const { connection_id } = await makeCarrier(kernel, { name: 'East' });
  expect(await check('receipts')).toMatchObject({ status: 'good', value: 'All matched' });
  const receive = (age: string) =>
    kernel.db.run(sql`
      insert into unmatched_reports (id, connection_id, external_id, number, report, create_date)
      values (${newId()}, ${connection_id}, ${newId()}, '447400000001', '{}', now() - ${age}::interval)`);
  await receive('5 seconds');
  await receive('2 hours');
  expect(await check('receipts')).toMatchObject({ status: 'good' });
  await receive('5 minutes');
  expect(await check('receipts')).toMatchObject({
    status: 'warning',
    value: '1 receipt unmatched',
    detail: expect.stringContaining('East: 1'),
  });
});

test('the trend of a check has a figure for each sampled minute of the last hour and the current one', async () => {
  const { kernel } = world;
  const insert = (age: string, figures: object) =>
    kernel.db.run(sql`
      insert into health_samples (sample_date, figures)
      values (now() - ${age}::interval, ${JSON.stringify(figures)}::jsonb)`);
  await insert('2 days', { mails: 99 });
  await insert('90 minutes', { mails: 9 });
  await insert('20 minutes', { mails: 4 });
  await insert('10 minutes', { lines: 1 });
  await sampleHealth(kernel);
  await sampleHealth(kernel);
  const { trend, value } = (await check('mails')) as unknown as { trend: number[]; value: string };
  expect(trend).toEqual([4, Number(value), Number(value)]);
  expect((await check('database')) as unknown).toMatchObject({ trend: [] });
  expect(
    await kernel.db.rows(sql`select 1 from health_samples where sample_date < now() - interval '1 day'`),
  ).toHaveLength(0);
});

async function makeHttpCarrier(kernel: World['kernel'], name: string): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    insert into connections (id, name, adapter, channel, settings)
    values (${id}, ${name}, 'viber', 'VIBER', '{"base_url":"https://viber.example"}')`);
  return id;
}

async function openBinds(connection_id: string, count: number): Promise<void> {
  const worker_id = newId();
  await world.kernel.db.run(sql`
    insert into workers (id, process, host, role, lease_until)
    values (${worker_id}, '[]', 'node-3:44', 'worker', now() + interval '1 hour')`);
  await world.kernel.db.run(sql`
    insert into binds (connection_id, slot, worker_id, state, lease_until)
    select ${connection_id}, slot, ${worker_id}, 'bound', now() + interval '1 hour'
    from generate_series(0, ${count - 1}::int) slot`);
}

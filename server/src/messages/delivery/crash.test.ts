/** Kills workers at every critical point. No message is lost or duplicated, and the ledger stays balanced. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { endGrace, LONG, setGrace } from '../../test/grace.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { isSoak } from '../../test/soak/soak.ts';
import { startWorkerProcess, type WorkerProcess } from '../../test/worker.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';

const WINDOW = 50;
const MESSAGES = 120;

let world: World;
let carrier: Carrier;
let connection_id: string;
let company: Company;
let sender_id: string;
let code: string;
let next = 10_000;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
  // So that the doctor also compares the volumes of months with the messages that are charged.
  await world.kernel.db.run(sql`
    insert into volume_prices (id, channel, country, currency, month, steps, user_id)
    values (gen_random_uuid(), 'SMS', 'GB', 'USD', '2020-01-01', '[{"above_units": 50, "price_micros": 30000}]',
            gen_random_uuid())`);
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 50, receipt_jitter_ms: 50 });
  ({ connection_id } = await makeCarrier(world.kernel, {
    port: world.sandbox!.smpp,
    settings: { window: WINDOW },
    unknown_policy: 'resend',
  }));
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ({ sender_id, code } = await makeSender(world.kernel, company.account_id));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const worker = async (settings: Record<string, string> = {}) => {
  const process = await startWorkerProcess(world, settings);
  workers.push(process);
  return process;
};
async function sendAll(count = MESSAGES, text = 'Hello'): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => testNumber(next++));
  await world.kernel.db.tx((tx) =>
    accept(tx, world.kernel, {
      account_id: company.account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'api',
      refusal: 'throw',
      recipients: numbers.map((to) => ({ to, text })),
    }),
  );
  return numbers;
}
const statuses = async () => {
  const rows = await world.kernel.db.rows<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from messages where account_id = ${company.account_id} and direction = 'MT'
    group by 1`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
const setGraceSeconds = (seconds: number) => setGrace(world, connection_id, seconds);
async function allDelivered(count = MESSAGES): Promise<void> {
  await endGrace(world, carrier, connection_id);
  await until('all are delivered', async () => (await statuses()).delivered === count).catch(async (error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await statuses())}`);
  });
  await setGraceSeconds(LONG);
}
/** Counts the binds that are up, by worker. */
async function bindsByWorker(): Promise<number[]> {
  const rows = await world.kernel.db.rows<{ n: number }>(sql`
    select count(*)::int as n from binds where state = 'bound' and lease_until > now() group by worker_id order by 1`);
  return rows.map(({ n }) => n);
}
async function expectOnceEach(numbers: readonly string[]): Promise<void> {
  const expected = new Set(numbers);
  const acceptedNumbers = (await carrier.accepted()).map(({ to }) => to).filter((to) => expected.has(to));
  expect(acceptedNumbers.length).toBe(numbers.length);
  expect(new Set(acceptedNumbers)).toEqual(expected);
}
const countSubmitting = async () =>
  (await world.kernel.db.one<{ n: number }>(sql`select count(*)::int as n from dispatch where stage = 'submitting'`)).n;
/** Counts the messages that no carrier is known to have. */
const queued = async () =>
  (await world.kernel.db.one<{ n: number }>(sql`select count(*)::int as n from dispatch where stage = 'queued'`)).n;
/** Starts a worker and kills it once at most `left` messages are queued. */
async function killWith(limit: number): Promise<void> {
  const victim = await worker();
  await until(`at most ${limit} are queued`, async () => (await queued()) <= limit);
  victim.signal('SIGKILL');
  await victim.ended;
}
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

const FAILPOINTS = [
  'after_claim:2',
  'after_submitting_commit:1',
  'after_submitting_commit:2',
  'after_socket_write:1',
  'after_socket_write:2',
  'before_sent_commit:2',
  'after_sent_commit:1',
  'before_report_commit:1',
  'after_report_commit:2',
];
async function dieAt(FAILPOINT: string): Promise<void> {
  const killed = await worker({ FAILPOINT });
  expect(await killed.ended, FAILPOINT).toEqual({ code: null, signal: 'SIGKILL' });
}

describe('a killed worker', () => {
  // `npm run soak` kills a worker at each failpoint separately.
  const series: readonly [string, readonly string[]][] = isSoak
    ? FAILPOINTS.map((name) => [`failpoint ${name}`, [name]])
    : [['every failpoint in turn', FAILPOINTS]];
  test.each(series)(
    'is replaced when it dies at %s, and each phone receives its message once',
    { timeout: 300_000 },
    async (_, failpoints) => {
      const count = Math.min(MESSAGES * failpoints.length, 1_000);
      const numbers = await sendAll(count);
      for (const [kills, failpoint] of failpoints.entries()) {
        await dieAt(failpoint);
        expect(await countSubmitting()).toBeLessThanOrEqual(WINDOW * (kills + 1));
      }
      await worker();
      await allDelivered(count);
      await expectOnceEach(numbers);
      await expectSound();
    },
  );

  test('leaves an inbound message stored once when it dies before acknowledging it', async () => {
    await carrier.write('447400000201', code, 'Only once, please');
    const killed = await worker({ FAILPOINT: 'before_inbound_ack' });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await worker();
    await until('the carrier has its acknowledgment', async () =>
      (await carrier.phone('447400000201')).every(({ status }) => status === 'delivered'),
    );
    const stored = await world.kernel.db.rows(sql`select text from messages where account_id = ${company.account_id}`);
    expect(stored).toEqual([{ text: 'Only once, please' }]);
    await expectSound();
  });

  test('does not lose or duplicate messages, even when its successors are killed too', async () => {
    await carrier.set({ response_delay_ms: 15 });
    const numbers = await sendAll(500);
    for (const [kills, limit] of [460, 330, 170].entries()) {
      await killWith(limit);
      expect(await countSubmitting()).toBeLessThanOrEqual(WINDOW * (kills + 1));
    }
    await worker();
    await allDelivered(500);
    await carrier.set({ response_delay_ms: 0 });
    await expectOnceEach(numbers);
    await expectSound();
  });
});

test('each part of a long message is sent once when workers are killed repeatedly', async () => {
  await carrier.set({ response_delay_ms: 15 });
  const numbers = await sendAll(150, 'A long story of many words. '.repeat(13));
  for (const limit of [130, 60]) await killWith(limit);
  await worker();
  await allDelivered(150);
  await carrier.set({ response_delay_ms: 0 });
  const parts = new Map<string, number[]>(numbers.map((number) => [number, []]));
  for (const { to, part } of await carrier.accepted()) parts.get(to)?.push(part);
  for (const partNumbers of parts.values()) expect(partNumbers.sort()).toEqual([1, 2, 3]);
  await expectSound();
});

describe('a worker', () => {
  test('does not lose or duplicate messages when the database cuts its connections, even during commits', async () => {
    await carrier.set({ response_delay_ms: 5 });
    await worker();
    const numbers = await sendAll(800);
    for (let round = 0; round < 8; round++) {
      await new Promise((resolve) => setTimeout(resolve, 60 + 7 * round));
      await world.kernel.db.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'parley worker%'`);
    }
    await allDelivered(800);
    await carrier.set({ response_delay_ms: 0 });
    await expectOnceEach(numbers);
    await expectSound();
  });
});

describe('an ambiguous message', () => {
  test('fails after the grace period and releases its hold when the policy is "fail"', async () => {
    await world.kernel.db.run(sql`update connections set unknown_policy = 'fail' where id = ${connection_id}`);
    await sendAll(10);
    const killed = await worker({ FAILPOINT: 'after_submitting_commit' });
    await killed.ended;
    await setGraceSeconds(1);
    await worker();
    await until('all have ended', async () => (await statuses()).failed === 10);
    const rows = await world.kernel.db.rows(sql`
      select distinct failure, charge, possible_duplicate from messages where account_id = ${company.account_id}`);
    expect(rows).toEqual([{ failure: 'unknown', charge: 'released', possible_duplicate: false }]);
    await world.kernel.db.run(sql`update connections set unknown_policy = 'resend' where id = ${connection_id}`);
    await setGraceSeconds(LONG);
    await expectSound();
  });

  test('is delivered and charged once when its receipt arrives after it was given up', async () => {
    await world.kernel.db.run(sql`update connections set unknown_policy = 'fail' where id = ${connection_id}`);
    await carrier.set({ receipt_delay_ms: 8_000, receipt_jitter_ms: 0 });
    const numbers = await sendAll(10);
    const killed = await worker({ FAILPOINT: 'after_socket_write' });
    await killed.ended;
    await setGraceSeconds(1);
    await worker();
    const accepted = (await carrier.accepted()).filter(({ to }) => numbers.includes(to)).length;
    await until('all accepted messages are delivered', async () => {
      const { delivered = 0, failed = 0 } = await statuses();
      return delivered === accepted && failed === 10 - accepted;
    });
    const charges = await world.kernel.db.rows<{ charge: string; n: number }>(sql`
      select charge, count(*)::int as n from messages where account_id = ${company.account_id} group by 1`);
    expect(charges.find(({ charge }) => charge === 'settled')?.n ?? 0).toBe(accepted);
    await expectOnceEach(numbers.slice(0, accepted));
    await carrier.set({ receipt_delay_ms: 50, receipt_jitter_ms: 50 });
    await world.kernel.db.run(sql`update connections set unknown_policy = 'resend' where id = ${connection_id}`);
    await setGraceSeconds(LONG);
    await expectSound();
  });
});

describe('two workers', () => {
  const setBinds = (binds: number) =>
    world.kernel.db.run(sql`
      update connections set settings = settings || jsonb_build_object('binds', ${binds}::int)
      where id = ${connection_id}`);

  test('share the binds of a connection, and one takes over when the other dies', async () => {
    await setBinds(4);
    const first = await worker();
    await until('the first worker holds all binds', async () => JSON.stringify(await bindsByWorker()) === '[4]');
    await worker();
    await until('they share', async () => JSON.stringify(await bindsByWorker()) === '[2,2]');
    const numbers = await sendAll(300);
    await until('some are submitted', async () => (await statuses()).enroute !== 300);
    first.signal('SIGKILL');
    await first.ended;
    await until('the second worker holds all binds', async () => JSON.stringify(await bindsByWorker()) === '[4]');
    await allDelivered(300);
    await expectOnceEach(numbers);
    await setBinds(1);
    await expectSound();
  });

  test('send each message once when one of them stalls and later resumes', async () => {
    await carrier.set({ response_delay_ms: 20 });
    const numbers = await sendAll(400);
    const frozen = await worker();
    await until('some are sent', async () => ((await statuses()).enroute ?? 0) < 380);
    frozen.signal('SIGSTOP');
    await worker();
    // Without an acknowledgment, the carrier repeats its reports on another bind, but only after a long wait while
    // this bind is up.
    await carrier.cut();
    await until('the other worker has delivered most', async () => (await statuses()).delivered! > 350);
    frozen.signal('SIGCONT');
    await allDelivered(400);
    await carrier.set({ response_delay_ms: 0 });
    await expectOnceEach(numbers);
    await expectSound();
  });
});

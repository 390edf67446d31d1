/**
 * Measures how long the messages of one company wait while another company has a long queue: single messages through a
 * carrier that throttles, and verification codes through a slow connection. The baseline has no other company.
 */
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { accept } from '@parley/server/src/messages/messages.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { median, percentile, type Result, type Rig, until } from './rig.ts';

const QUEUED = Number(process.env.BENCH_QUEUED ?? 100_000);
const CAMPAIGN = Number(process.env.BENCH_MESSAGES ?? 12_000);
const SINGLES = 100;
const CODES = 60;
const SLOW_PER_SECOND = 20;
const BATCH = 1_000;

interface Sender extends Company {
  sender_id: string;
}
type Source = Parameters<typeof accept>[2]['source'];

let next = 20_000_000;

export async function fairness(rig: Rig): Promise<Result[]> {
  const { connection_id } = await makeCarrier(rig.kernel, { port: rig.sandbox.smpp });
  const [busy, other] = [await makeSendingCompany(rig), await makeSendingCompany(rig)];
  await measureWaits(rig, other, 'api', 5);
  const throttled = await measureThrottling(rig, busy, other);
  await setThroughput(rig, connection_id, SLOW_PER_SECOND);
  return [throttled, await measureCodes(rig, busy, other)];
}

async function measureThrottling(rig: Rig, busy: Sender, other: Sender): Promise<Result> {
  await setThrottle(rig, 400);
  const alone = await measureWaits(rig, other, 'api', SINGLES);
  const before = await countThrottled(rig);
  await queueMessages(rig, busy, 'campaign', CAMPAIGN);
  const beside = await measureWaits(rig, other, 'api', SINGLES);
  await until('the campaign is sent', async () => (await countQueued(rig)) === 0, 180_000, 200);
  const refusals = (await countThrottled(rig)) - before;
  await setThrottle(rig, 0);
  const p99 = percentile(beside, 99);
  return {
    name: `Single messages during a campaign of ${CAMPAIGN.toLocaleString('en-US')}, carrier limited to 400/s`,
    parley: `${formatWaits(beside)}, ${refusals} submissions throttled`,
    baseline: `without the campaign ${formatWaits(alone)}`,
    ratio: (p99 / percentile(alone, 99)).toFixed(1),
    target: 'p99 under 1 s, and less than 2 % throttled',
    met: p99 < 1_000 && refusals < CAMPAIGN * 0.02,
  };
}

async function measureCodes(rig: Rig, busy: Sender, other: Sender): Promise<Result> {
  const alone = await measureWaits(rig, other, 'verification', CODES);
  await queueMessages(rig, busy, 'campaign', QUEUED * 0.8);
  await queueMessages(rig, busy, 'api', QUEUED * 0.1);
  await queueMessages(rig, busy, 'verification', QUEUED * 0.1);
  const beside = await measureWaits(rig, other, 'verification', CODES);
  const p99 = percentile(beside, 99);
  return {
    name: `Codes with ${QUEUED.toLocaleString('en-US')} queued messages of another company, ${SLOW_PER_SECOND}/s`,
    parley: formatWaits(beside),
    baseline: `with an empty queue ${formatWaits(alone)}`,
    ratio: (p99 / percentile(alone, 99)).toFixed(1),
    target: 'p99 under 1 s',
    met: p99 < 1_000,
  };
}

const formatWaits = (waits: readonly number[]) =>
  `p50 ${median(waits).toFixed(0)} ms, p99 ${percentile(waits, 99).toFixed(0)} ms`;

async function makeSendingCompany(rig: Rig): Promise<Sender> {
  const company = await makeCompany(rig.kernel, { balance_micros: 100_000_000_000 });
  return { ...company, ...(await makeSender(rig.kernel, company.account_id)) };
}

/**
 * Sends the messages one by one and returns the milliseconds until the carrier accepted each. The carrier's own record
 * is read afterwards, because its live feed leaves out messages of a burst.
 */
async function measureWaits(rig: Rig, from: Sender, source: Source, count: number): Promise<number[]> {
  const sent: { to: string; started_at: number }[] = [];
  for (let index = 0; index < count; index++) {
    const to = testNumber(next++);
    sent.push({ to, started_at: Date.now() });
    await send(rig, from, source, [to]);
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 200));
  }
  const waits: number[] = [];
  for (const { to, started_at } of sent) {
    let accepted_at: number | null = null;
    const hasArrived = async () => {
      accepted_at = await readArrival(rig, to);
      return accepted_at !== null;
    };
    await until(`a message arrives at ${to}`, hasArrived, 30_000);
    waits.push(accepted_at! - started_at);
  }
  return waits;
}

async function readArrival(rig: Rig, to: string): Promise<number | null> {
  const response = await fetch(`${rig.sandbox.url}/api/submissions?to=${to}&limit=1`);
  const { submissions } = (await response.json()) as { submissions: { time: string }[] };
  return submissions[0] ? new Date(submissions[0].time).getTime() : null;
}

async function queueMessages(rig: Rig, from: Sender, source: Source, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    const numbers = Array.from({ length: Math.min(left, BATCH) }, () => testNumber(next++));
    await send(rig, from, source, numbers);
  }
}

const send = (rig: Rig, { account_id, sender_id }: Sender, source: Source, numbers: readonly string[]) =>
  rig.kernel.db.tx((tx) =>
    accept(tx, rig.kernel, {
      account_id,
      channel: 'SMS',
      from: sender_id,
      recipients: numbers.map((to) => ({ to, text: 'Your code is 471100' })),
      source,
      refusal: 'throw',
      ...(source === 'verification' ? { code: '471100' } : {}),
    }),
  );

const countQueued = async (rig: Rig): Promise<number> =>
  (await rig.kernel.db.one<{ count: number }>(sql`select count(*)::int as count from dispatch`)).count;

/** Changes the setting, which makes the binds reconnect. */
async function setThroughput(rig: Rig, connection_id: string, throughput: number): Promise<void> {
  await rig.kernel.db.run(sql`
    update connections set settings = settings || ${JSON.stringify({ throughput })}::jsonb, update_date = now()
    where id = ${connection_id}`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

async function setThrottle(rig: Rig, throttle_per_second: number): Promise<void> {
  const response = await fetch(`${rig.sandbox.url}/api/carrier`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ throttle_per_second }),
  });
  if (!response.ok) throw new Error(`the sandbox refused the setting: ${response.status}`);
}

async function countThrottled(rig: Rig): Promise<number> {
  const response = await fetch(`${rig.sandbox.url}/api/stats`);
  const { refused } = (await response.json()) as { refused: Record<string, number> };
  return refused.ESME_RTHROTTLED ?? 0;
}

/**
 * Webhook deliveries per second, alone and beside endpoints that never respond. The rounds alternate. The yardstick is
 * a bare loop that posts the same bodies to the same endpoint.
 */
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { emit } from '@parley/server/src/kernel/live/events.ts';
import { type Company, makeCompany } from '@parley/server/src/test/make.ts';
import { api, median, percentile, type Result, type Rig, secondsSince, until } from './rig.ts';

const COUNT = Number(process.env.BENCH_DELIVERIES ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const COMPANIES = 20;
const DEAD_COMPANIES = 20;
const BATCH = 500;
const BARE_CONNECTIONS = 100;
const LIMIT_MS = 300_000;
const TARGET = 1_000;
/** How much slower the deliveries may be beside dead endpoints. */
const MAX_SLOWDOWN = 1.25;

interface Receiver {
  url: string;
  server: Server;
  arrivals: Map<string, number>;
}

async function startReceiver(responds: boolean): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (part) => {
      text += part;
    });
    incoming.on('end', () => {
      arrivals.set(JSON.parse(text).data.id, performance.now());
      if (responds) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, arrivals };
}

const payload = ({ account_id, user_id }: Company, id: string) => ({
  ...{ id, account_id, direction: 'MT', channel: 'SMS', from: 'Shop', to: '447700900123', type: 'text' },
  ...{ text: 'Your order is ready', status: 'delivered', sender_id: user_id, mccmnc: '23415', price: 0.04 },
  ...{ create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
});

/** Emits events of the companies in turn. Returns their IDs with the time of their commit. */
async function emitEvents(rig: Rig, companies: readonly Company[], count: number): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  for (let start = 0; start < count; start += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - start) }, newId);
    await rig.kernel.db.tx(async (tx) => {
      for (const [index, id] of ids.entries()) {
        const company = companies[index % companies.length]!;
        emit(tx, messageStatusChanged, company.account_id, payload(company, id) as never);
      }
    });
    for (const id of ids) committed.set(id, performance.now());
  }
  return committed;
}

async function makeSubscribers(rig: Rig, count: number, url: string): Promise<Company[]> {
  const companies: Company[] = [];
  for (let index = 0; index < count; index++) {
    const company = await makeCompany(rig.kernel);
    await api(rig.url, company.token).post('/v1/webhooks', { url, events: ['message.delivered'] });
    companies.push(company);
  }
  return companies;
}

async function round(rig: Rig, companies: readonly Company[], { arrivals }: Receiver) {
  const cpu = await rig.cpuSeconds();
  const startedAt = performance.now();
  const committed = await emitEvents(rig, companies, COUNT);
  const hasAll = async () => [...committed.keys()].every((id) => arrivals.has(id));
  await until(`${COUNT} deliveries have arrived`, hasAll, LIMIT_MS, 20);
  const rate = COUNT / secondsSince(startedAt);
  const waits = [...committed].map(([id, at]) => arrivals.get(id)! - at);
  const cpu_us = (((await rig.cpuSeconds()) - cpu) / COUNT) * 1e6;
  console.log(`  ${rate.toFixed(0)}/s, ${cpu_us.toFixed(0)} us CPU of the server and PostgreSQL per delivery`);
  return { rate, p99: percentile(waits, 99), cpu_us };
}

/** Posts the same bodies without a database. */
async function bareRate({ url, arrivals }: Receiver, company: Company): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: BARE_CONNECTIONS });
  const ids = Array.from({ length: COUNT }, newId);
  const startedAt = performance.now();
  const post = (id: string) =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify({ type: 'message.delivered', data: payload(company, id) });
      request(url, { agent, method: 'POST' }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(body);
    });
  await Promise.all(ids.map(post));
  const rate = COUNT / secondsSince(startedAt);
  for (const id of ids) arrivals.delete(id);
  agent.destroy();
  return rate;
}

export async function webhooks(rig: Rig): Promise<Result[]> {
  const [live, dead] = [await startReceiver(true), await startReceiver(false)];
  const companies = await makeSubscribers(rig, COMPANIES, live.url);
  const failing = await makeSubscribers(rig, DEAD_COMPANIES, dead.url);
  const alone: Awaited<ReturnType<typeof round>>[] = [];
  const beside: typeof alone = [];
  const bare: number[] = [];
  for (let number = 0; number <= ROUNDS; number++) {
    // The first round warms up the programs.
    const measured = [await bareRate(live, companies[0]!), await round(rig, companies, live)] as const;
    await rig.kernel.db.run(sql`update webhooks set open_until = null, next_date = now() where failures > 0`);
    await emitEvents(rig, failing, DEAD_COMPANIES * 10);
    await until('the dead endpoints are called', async () => dead.arrivals.size > 0, LIMIT_MS);
    const with_dead = await round(rig, companies, live);
    if (number === 0) continue;
    bare.push(measured[0]);
    alone.push(measured[1]);
    beside.push(with_dead);
  }
  for (const { server } of [live, dead]) {
    server.closeAllConnections();
    server.close();
  }
  const rates = (rounds: typeof alone) => median(rounds.map(({ rate }) => rate));
  const waits = (rounds: typeof alone) =>
    `p99 ${median(rounds.map(({ p99 }) => p99)).toFixed(0)} ms, ` +
    `${median(rounds.map(({ cpu_us }) => cpu_us)).toFixed(0)} us CPU`;
  const slowdown = median(alone.map(({ rate }, index) => rate / beside[index]!.rate));
  return [
    {
      name: `Webhook deliveries to ${COMPANIES} endpoints`,
      parley: `${rates(alone).toFixed(0)}/s, ${waits(alone)}`,
      baseline: `a bare loop ${median(bare).toFixed(0)}/s`,
      ratio: (rates(alone) / median(bare)).toFixed(2),
      target: `at least ${TARGET}/s`,
      met: rates(alone) >= TARGET,
    },
    {
      name: `The same deliveries beside ${DEAD_COMPANIES} endpoints that never respond`,
      parley: `${rates(beside).toFixed(0)}/s, ${waits(beside)}`,
      baseline: `without them ${rates(alone).toFixed(0)}/s, ${waits(alone)}`,
      ratio: slowdown.toFixed(2),
      target: `at most ${MAX_SLOWDOWN} times slower`,
      met: slowdown <= MAX_SLOWDOWN,
    },
  ];
}

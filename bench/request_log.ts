/**
 * Accepts messages with and without the request log, with two API servers on the same database. Their rounds alternate,
 * so that both meet the same load of the machine.
 */
import { makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { type Load, sendRequests } from './load.ts';
import { median, type Result, type Rig, stopProcess } from './rig.ts';

const COUNT = Number(process.env.BENCH_REQUESTS ?? 5_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const CONNECTIONS = 32;
const SETTLE_MS = 1_500;
/** The largest share that the log may add to the CPU of a request. */
const MAX_SHARE = 0.1;

export async function requestLog(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel);
  const { account_id } = await makeCompany(rig.kernel, { balance_micros: 1_000_000_000_000 });
  const { sender_id: from } = await makeSender(rig.kernel, account_id);
  const key = await makeKey(rig.kernel, account_id);
  let first = 0;
  const load = (url: string): Load => {
    first += COUNT;
    return {
      ...{ url, connections: CONNECTIONS, requests: COUNT, path: '/v1/messages' },
      headers: () => ({ 'x-api-key': key }),
      body: (index) => ({
        data: { from, to: [testNumber(first + index)], channel: 'SMS', text: `Your order ${index} is ready` },
      }),
    };
  };
  const measure = async ({ url, process }: Awaited<ReturnType<Rig['startServer']>>) => {
    const before = await rig.cpuSeconds(process.pid);
    const { seconds } = await sendRequests(load(url));
    // The log writes its last batch after the responses.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return { rate: COUNT / seconds, cpu_us: (((await rig.cpuSeconds(process.pid)) - before) / COUNT) * 1e6 };
  };
  const logging = await rig.startServer({ ROLE: 'api' });
  const silent = await rig.startServer({ ROLE: 'api', REQUEST_LOG_DAYS: '0' });
  /** The order alternates, because PostgreSQL does some work of a round only in the next one. */
  const measureBoth = async (round: number) => {
    if (round % 2 === 0) return { with_log: await measure(logging), without: await measure(silent) };
    const without = await measure(silent);
    return { with_log: await measure(logging), without };
  };
  const rounds: Record<'with_log' | 'without', { rate: number; cpu_us: number }>[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const measured = await measureBoth(round);
      // The first round warms up the programs and the caches.
      if (round > 0) rounds.push(measured);
    }
  } finally {
    await stopProcess(logging.process, 'SIGTERM');
    await stopProcess(silent.process, 'SIGTERM');
  }
  const shares = rounds.map(({ with_log, without }) => with_log.cpu_us / without.cpu_us - 1);
  const share = median(shares);
  const format = (name: 'with_log' | 'without') =>
    `${median(rounds.map((round) => round[name].rate)).toFixed(0)}/s, ` +
    `${median(rounds.map((round) => round[name].cpu_us)).toFixed(0)} us CPU`;
  return {
    name: `Request log of POST /v1/messages over ${CONNECTIONS} connections`,
    parley: `${format('with_log')}, the log adds ${(share * 100).toFixed(1)}% CPU`,
    baseline: `without the log ${format('without')}`,
    ratio: (1 + share).toFixed(2),
    target: 'at most 10% more CPU',
    met: share <= MAX_SHARE,
  };
}

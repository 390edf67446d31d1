/**
 * Compares submits over one SMPP session with a window of 100 to POST /v1/messages over as many connections. The
 * carrier is unreachable, so that only the acceptance is measured.
 */
import { BIND_TYPES } from '@parley/contract/smpp/smpp.ts';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { freePort } from '@parley/server/src/test/world.ts';
import { SmppClient } from '@parley/smpp/client.ts';
import { sendRequests } from './load.ts';
import { median, type Result, type Rig, stopProcess, until } from './rig.ts';

const COUNT = Number(process.env.BENCH_REQUESTS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WINDOW = 100;
const CONNECTIONS = 32;
const PASSWORD = 'bench123';

interface Measurement {
  rate: number;
  cpu_us: number;
}

export async function smppServer(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel);
  const company = await makeCompany(rig.kernel, { balance_micros: 1_000_000_000_000 });
  const { sender_id, code } = await makeSender(rig.kernel, company.account_id);
  const key = await makeKey(rig.kernel, company.account_id);
  const port = await freePort();
  const settings = { ROLE: 'api', SMPP_PORT: String(port), SMPP_THROUGHPUT: '100000' };
  const server = await rig.startServer(settings);
  const system_id = await insertAccount(rig, company.account_id);
  const client = new SmppClient({ host: '127.0.0.1', port, system_id, password: PASSWORD, window: WINDOW });
  client.start();
  let first = 0;
  const over_smpp = async () => {
    first += COUNT;
    let next = 0;
    await Promise.all(
      Array.from({ length: WINDOW }, async () => {
        for (let index = next++; index < COUNT; index = next++) {
          const { command_status } = await client.submit({
            ...{ source_addr: code, destination_addr: testNumber(first + index) },
            short_message: Buffer.from(`Your order ${index} is ready`),
          });
          if (command_status !== 0) throw new Error(`submit_sm was refused with ${command_status}`);
        }
      }),
    );
  };
  const over_http = async () => {
    first += COUNT;
    await sendRequests({
      ...{ url: server.url, connections: CONNECTIONS, requests: COUNT, path: '/v1/messages' },
      headers: () => ({ 'x-api-key': key, 'idempotency-key': newId() }),
      body: (index) => ({
        data: {
          from: sender_id,
          to: [testNumber(first + index)],
          channel: 'SMS',
          text: `Your order ${index} is ready`,
        },
      }),
    });
  };
  try {
    await until('the program is bound', async () => client.state === 'bound', 10_000);
    const [smpp, http]: [Measurement[], Measurement[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const pair = [
        await measure(rig, server.process.pid!, over_smpp),
        await measure(rig, server.process.pid!, over_http),
      ];
      // The first round warms up the programs and the caches.
      if (round === 0) continue;
      console.log(`  submit_sm ${format(pair[0]!)}; POST /v1/messages ${format(pair[1]!)}`);
      smpp.push(pair[0]!);
      http.push(pair[1]!);
    }
    return compare(summarize(smpp), summarize(http));
  } finally {
    await client.stop();
    await stopProcess(server.process, 'SIGTERM');
  }
}

async function insertAccount({ kernel }: Rig, account_id: string): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    insert into smpp_accounts (account_id, id, name, system_id, password, bind_types, max_pending, max_binds)
    values (${account_id}, ${id}, 'Bench', 'bench', ${kernel.seals.seal(PASSWORD, { table: 'smpp_accounts', row: id })},
      ${BIND_TYPES}::text[], ${WINDOW}, 10)`);
  return 'bench';
}

/** The CPU of the server and of PostgreSQL, without that of the load generator. */
async function measure(rig: Rig, server: number, run: () => Promise<void>): Promise<Measurement> {
  const [cpu, started] = [await rig.cpuSeconds(server), performance.now()];
  await run();
  const seconds = (performance.now() - started) / 1_000;
  return { rate: COUNT / seconds, cpu_us: (((await rig.cpuSeconds(server)) - cpu) / COUNT) * 1e6 };
}

const summarize = (all: readonly Measurement[]): Measurement => ({
  rate: median(all.map(({ rate }) => rate)),
  cpu_us: median(all.map(({ cpu_us }) => cpu_us)),
});

const format = ({ rate, cpu_us }: Measurement): string => `${rate.toFixed(0)}/s, ${cpu_us.toFixed(0)} us CPU`;

const compare = (smpp: Measurement, http: Measurement): Result => ({
  name: `Accept submit_sm of one session with a window of ${WINDOW}`,
  parley: format(smpp),
  baseline: `POST /v1/messages over ${CONNECTIONS} connections ${format(http)}`,
  ratio: (http.rate / smpp.rate).toFixed(1),
  target: 'at most the CPU of POST /v1/messages',
  met: smpp.cpu_us <= http.cpu_us,
});

/**
 * Compares Parley's SMPP client and server with npm "smpp" 0.5.1 in both roles. Each message is submitted and
 * acknowledged. One delivery receipt reports its outcome, and the receipt is parsed and acknowledged. Every measurement
 * runs client and server together in its own process, so the CPU time per message covers both ends. Rounds are
 * interleaved, because the machine is shared.
 *
 *   node bench/smpp.ts                        prints the table and the ratios
 *   node bench/smpp.ts PAIR WINDOW MESSAGES   runs one measurement, as the table does
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SmppClient } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import { formatReceipt, parseReceipt } from '@parley/smpp/receipt.ts';
import { createSmppServer } from '@parley/smpp/server.ts';
import { type PeerPdu, type PeerSession, peer, request } from '@parley/smpp/test/peer.ts';

type Pair = 'parley' | 'npm' | 'npm+nodelay';
type Measurement = { pair: Pair; window: number; rate: number; cpu_us: number };

const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow before noon';
const ADDRESSES = { source_addr: 'Parley', destination_addr: '37491234567', registered_delivery: 1 };
const credentials = { system_id: 'bench', password: 'bench' };

async function runParley(
  window: number,
  messages: number,
  run: (workload: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let id = 0;
  const server = createSmppServer({
    authenticate: () => 0,
    window: 10_000,
    onBound: (session) => {
      session.onSubmit = () => {
        const message_id = String(++id);
        const now = new Date();
        const receipt = formatReceipt({ id: message_id, state: 'DELIVERED', submit_date: now, done_date: now });
        setImmediate(() => void session.deliver(receipt));
        return { message_id };
      };
    },
  });
  const port = await server.listen(0, '127.0.0.1');
  let receipts = 0;
  const all = Promise.withResolvers<void>();
  const bound = Promise.withResolvers<void>();
  const client = new SmppClient({
    ...credentials,
    ...{ host: '127.0.0.1', port, window },
    onState: (state) => state === 'bound' && bound.resolve(),
    onDeliver: (pdu) => {
      if (parseReceipt(pdu)?.state === 'DELIVERED' && ++receipts === messages) all.resolve();
    },
  });
  client.start();
  await bound.promise;
  await run(async () => {
    let remaining = messages;
    const sender = async () => {
      while (remaining-- > 0)
        await client.submit({ ...ADDRESSES, ...split(TEXT, 'udh8', { alphabet: 'gsm7', reference: 0 })[0] });
    };
    await Promise.all([...Array.from({ length: window }, sender), all.promise]);
  });
  await client.stop();
  await server.close();
}

async function runNpm(
  window: number,
  messages: number,
  nodelay: boolean,
  run: (workload: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let id = 0;
  const timestamp = () => new Date().toISOString().replace(/[-:T]/g, '').slice(2, 12);
  const sessions: PeerSession[] = [];
  const server = peer.createServer({}, (session) => {
    sessions.push(session);
    if (nodelay) session.socket.setNoDelay(true);
    session.on('bind_transceiver', (pdu) => session.send(pdu.response()));
    session.on('submit_sm', (pdu) => {
      const message_id = String(++id);
      session.send(pdu.response({ message_id }));
      const dates = `submit date:${timestamp()} done date:${timestamp()}`;
      const text = `id:${message_id} sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:`;
      const fields = { esm_class: 4, receipted_message_id: message_id, message_state: 2, short_message: text };
      setImmediate(() => session.deliver_sm(fields, () => undefined));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = peer.connect({ url: `smpp://127.0.0.1:${(server.address() as { port: number }).port}` });
  await new Promise<void>((resolve) => client.on('connect', () => resolve()));
  if (nodelay) client.socket.setNoDelay(true);
  await request(client, 'bind_transceiver', credentials);
  let receipts = 0;
  const all = Promise.withResolvers<void>();
  client.on('deliver_sm', (pdu: PeerPdu) => {
    client.send(pdu.response());
    const text = (pdu.short_message as { message: string }).message;
    if (/stat:(\w+)/.exec(text)?.[1] === 'DELIVRD' && ++receipts === messages) all.resolve();
  });
  await run(async () => {
    let remaining = messages;
    const sender = async () => {
      while (remaining-- > 0) await request(client, 'submit_sm', { ...ADDRESSES, short_message: TEXT });
    };
    await Promise.all([...Array.from({ length: window }, sender), all.promise]);
  });
  client.destroy();
  for (const session of sessions) session.destroy();
  server.close();
}

async function measure(pair: Pair, window: number, messages: number): Promise<void> {
  const run = async (workload: () => Promise<void>) => {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    await workload();
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = process.cpuUsage(cpu);
    const measured: Measurement = {
      pair,
      window,
      rate: messages / seconds,
      cpu_us: (used.user + used.system) / messages,
    };
    console.log(JSON.stringify(measured));
  };
  if (pair === 'parley') await runParley(window, messages, run);
  else await runNpm(window, messages, pair === 'npm+nodelay', run);
}

/** Runs one measurement in its own process, which is killed if it does not end (Node can hang while shutting down). */
function measureInProcess(pair: Pair, window: number, messages: number): Promise<Measurement> {
  const file = fileURLToPath(import.meta.url);
  const options = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, pair, String(window), String(messages)], options, (error, stdout, stderr) => {
      const line = stdout.trim().split('\n').at(-1);
      if (line) resolve(JSON.parse(line));
      else reject(new Error(`${pair} at window ${window}: ${stderr || error?.message}`));
    });
  });
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1]!;

async function printTable(): Promise<void> {
  const pairs: Pair[] = ['parley', 'npm+nodelay', 'npm'];
  const windows = [10, 100];
  const results: Measurement[] = [];
  for (let round = 0; round < 3; round++) {
    for (const window of windows) {
      for (const pair of pairs) results.push(await measureInProcess(pair, window, pair === 'parley' ? 60_000 : 10_000));
    }
  }
  console.log('SMPP: submit, response and receipt; client and server in one process; medians of 3');
  for (const window of windows) {
    const pairMedian = (pair: Pair, key: 'rate' | 'cpu_us') =>
      median(results.filter((row) => row.pair === pair && row.window === window).map((row) => row[key]));
    for (const pair of pairs) {
      const [rate, cpu_us] = [pairMedian(pair, 'rate'), pairMedian(pair, 'cpu_us')];
      const speedup = (pairMedian('parley', 'rate') / rate).toFixed(1);
      const saving = (cpu_us / pairMedian('parley', 'cpu_us')).toFixed(1);
      const comparison = pair === 'parley' ? '' : `  parley: ${speedup}x the rate, ${saving}x less CPU`;
      const messageRate = Math.round(rate).toLocaleString('en').padStart(9);
      const cpu = cpu_us.toFixed(1).padStart(7);
      const columns = [`window ${String(window).padStart(3)}`, ` ${pair.padEnd(12)}`, `${messageRate} msgs/s`];
      console.log(`  ${columns.join(' ')} ${cpu} us CPU/msg${comparison}`);
    }
  }
}

const [pair, window, messages] = process.argv.slice(2);
if (pair) await measure(pair as Pair, Number(window), Number(messages));
else await printTable();

// Our SMPP client and server against npm "smpp" 0.5.1 in both roles, in the same run: each message submitted, answered,
// and reported by one delivery receipt that is parsed and answered. Every measurement is a process of its own (client
// and server together, so CPU per message is that of both ends); rounds are interleaved because the machine is shared.
//   node bench/smpp.ts            the table and the ratios
//   node bench/smpp.ts PAIR WINDOW MESSAGES   one measurement, as the table runs them

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SmppClient } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import { formatReceipt, parseReceipt } from '@parley/smpp/receipt.ts';
import { createSmppServer } from '@parley/smpp/server.ts';
import { type PeerPdu, type PeerSession, peer, request } from '@parley/smpp/test/peer.ts';

type Pair = 'ours' | 'npm' | 'npm+nodelay';
type Measured = { pair: Pair; window: number; rate: number; cpu_us: number };

const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow before noon';
const ADDRESSES = { source_addr: 'Parley', destination_addr: '37491234567', registered_delivery: 1 };
const credentials = { system_id: 'bench', password: 'bench' };

async function ours(window: number, messages: number, run: (go: () => Promise<void>) => Promise<void>): Promise<void> {
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
    let left = messages;
    const sender = async () => {
      while (left-- > 0)
        await client.submit({ ...ADDRESSES, ...split(TEXT, 'udh8', { alphabet: 'gsm7', reference: 0 })[0] });
    };
    await Promise.all([...Array.from({ length: window }, sender), all.promise]);
  });
  await client.stop();
  await server.close();
}

async function theirs(
  window: number,
  messages: number,
  nodelay: boolean,
  run: (go: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let id = 0;
  const stamp = () => new Date().toISOString().replace(/[-:T]/g, '').slice(2, 12);
  const sessions: PeerSession[] = [];
  const server = peer.createServer({}, (session) => {
    sessions.push(session);
    if (nodelay) session.socket.setNoDelay(true);
    session.on('bind_transceiver', (pdu) => session.send(pdu.response()));
    session.on('submit_sm', (pdu) => {
      const message_id = String(++id);
      session.send(pdu.response({ message_id }));
      const text = `id:${message_id} sub:001 dlvrd:001 submit date:${stamp()} done date:${stamp()} stat:DELIVRD err:000 text:`;
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
    let left = messages;
    const sender = async () => {
      while (left-- > 0) await request(client, 'submit_sm', { ...ADDRESSES, short_message: TEXT });
    };
    await Promise.all([...Array.from({ length: window }, sender), all.promise]);
  });
  client.destroy();
  for (const session of sessions) session.destroy();
  server.close();
}

async function measure(pair: Pair, window: number, messages: number): Promise<void> {
  const run = async (go: () => Promise<void>) => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    await go();
    const seconds = (performance.now() - started) / 1_000;
    const used = process.cpuUsage(cpu);
    const measured: Measured = { pair, window, rate: messages / seconds, cpu_us: (used.user + used.system) / messages };
    console.log(JSON.stringify(measured));
  };
  if (pair === 'ours') await ours(window, messages, run);
  else await theirs(window, messages, pair === 'npm+nodelay', run);
}

/** A measurement in a process of its own; killed if it does not end (a hot Node can hang in its own shutdown). */
function apart(pair: Pair, window: number, messages: number): Promise<Measured> {
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

async function table(): Promise<void> {
  const pairs: Pair[] = ['ours', 'npm+nodelay', 'npm'];
  const windows = [10, 100];
  const results: Measured[] = [];
  for (let round = 0; round < 3; round++) {
    for (const window of windows) {
      for (const pair of pairs) results.push(await apart(pair, window, pair === 'ours' ? 60_000 : 10_000));
    }
  }
  console.log('SMPP: submit, answer and receipt; client and server in one process; medians of 3');
  for (const window of windows) {
    const of = (pair: Pair, what: 'rate' | 'cpu_us') =>
      median(results.filter((one) => one.pair === pair && one.window === window).map((one) => one[what]));
    for (const pair of pairs) {
      const [rate, cpu_us] = [of(pair, 'rate'), of(pair, 'cpu_us')];
      const ratio =
        pair === 'ours'
          ? ''
          : `  ours: ${(of('ours', 'rate') / rate).toFixed(1)}x the rate, ${(cpu_us / of('ours', 'cpu_us')).toFixed(1)}x less CPU`;
      console.log(
        `  window ${String(window).padStart(3)}  ${pair.padEnd(12)} ${Math.round(rate).toLocaleString('en').padStart(9)} msgs/s ${cpu_us.toFixed(1).padStart(7)} us CPU/msg${ratio}`,
      );
    }
  }
}

const [pair, window, messages] = process.argv.slice(2);
if (pair) await measure(pair as Pair, Number(window), Number(messages));
else await table();

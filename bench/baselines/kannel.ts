/**
 * The baseline for sending: Kannel (Debian package) with HTTP input, SMPP output (one bind, window 100), a durable file
 * store, and delivery receipts sent to an HTTP callback. It uses the same SMSC, the same text, and the same kind of
 * numbers, and is measured from the first request to the last receipt.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEARERBOX, SMSBOX } from '@parley/server/src/test/peers/kannel.ts';
import { freePort } from '@parley/server/src/test/world.ts';
import { readCpuSeconds, secondsSince, stopProcess } from '../rig.ts';

const CONNECTIONS = 64;

export interface Measurement {
  rate: number;
  cpu_us: number;
}

export async function kannel(smpp_port: number, count: number, text: string): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-kannel-'));
  await mkdir(join(folder, 'log'));
  const [admin, box, sendsms, callback] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const config = join(folder, 'kannel.conf');
  await writeFile(config, configuration({ folder, admin, box, sendsms, smpp_port }));
  let receipts = 0;
  const all = Promise.withResolvers<void>();
  const receiver = createServer((incoming, response) => {
    incoming.resume();
    response.end('ok');
    if (++receipts === count) all.resolve();
  });
  receiver.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => receiver.listen(callback, '127.0.0.1', resolve));
  const start = (program: string) => spawn(program, ['-v', '4', config], { cwd: folder, stdio: 'ignore' });
  const bearerbox = start(BEARERBOX);
  const running: ChildProcess[] = [bearerbox];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    await waitForResponse(`http://127.0.0.1:${admin}/status.txt?password=bench`, (body) => /online/.test(body));
    const smsbox = start(SMSBOX);
    running.push(smsbox);
    const dlr = encodeURIComponent(`http://127.0.0.1:${callback}/dlr?type=%d`);
    const message = `from=Parley&text=${encodeURIComponent(text)}&dlr-mask=1&dlr-url=${dlr}`;
    const credentials = 'username=bench&password=bench';
    const url = (index: number) =>
      `http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${credentials}&to=4474${20_000_000 + index}&${message}`;
    await waitForResponse(
      `http://127.0.0.1:${sendsms}/cgi-bin/sendsms?username=bench&password=wrong&to=1&text=x`,
      () => true,
    );
    const before = (await readCpuSeconds(bearerbox.pid!)) + (await readCpuSeconds(smsbox.pid!));
    const startedAt = performance.now();
    let next = 0;
    const sender = async () => {
      while (next < count) await get(url(next++), agent);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    await Promise.race([
      all.promise,
      new Promise((_, reject) =>
        setTimeout(() => reject(new Error(`Kannel: ${receipts} of ${count} receipts in two minutes`)), 120_000).unref(),
      ),
    ]);
    const elapsed = secondsSince(startedAt);
    const cpu = (await readCpuSeconds(bearerbox.pid!)) + (await readCpuSeconds(smsbox.pid!)) - before;
    return { rate: count / elapsed, cpu_us: (cpu / count) * 1e6 };
  } finally {
    agent.destroy();
    for (const child of running.reverse()) await stopProcess(child, 'SIGTERM', 3_000);
    receiver.closeAllConnections();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const get = (url: string, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 202 ? resolve() : reject(new Error(`Kannel returned ${response.statusCode}`)),
      );
    })
      .on('error', reject)
      .end();
  });

async function waitForResponse(url: string, isReady: (body: string) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const response = await fetch(url).catch(() => null);
    if (response && isReady(await response.text())) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Kannel did not start');
}

const configuration = (at: { folder: string; admin: number; box: number; sendsms: number; smpp_port: number }) => `
group = core
admin-port = ${at.admin}
admin-password = bench
status-password = bench
admin-interface = 127.0.0.1
smsbox-port = ${at.box}
smsbox-interface = 127.0.0.1
log-level = 3
log-file = "${at.folder}/log/bearerbox.log"
store-type = file
store-location = "${at.folder}/store"
store-dump-freq = 10
dlr-storage = internal
sms-resend-freq = 1

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${at.smpp_port}
transceiver-mode = 1
smsc-username = kannel
smsc-password = sandbox
system-type = bench
max-pending-submits = 100
interface-version = 34
enquire-link-interval = 30
msg-id-type = 0

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${at.box}
sendsms-port = ${at.sendsms}
sendsms-interface = 127.0.0.1
log-level = 3
log-file = "${at.folder}/log/smsbox.log"

group = sendsms-user
username = bench
password = bench
max-messages = 1
concatenation = true
user-allow-ip = "127.0.0.1"
`;

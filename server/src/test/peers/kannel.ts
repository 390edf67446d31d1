/**
 * Kannel (Debian package), a third-party SMPP client: messages enter over HTTP and leave over one bind. It calls a URL
 * for receipts and inbound messages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../world.ts';
import { isInstalled } from './debian.ts';

export const BEARERBOX = '/usr/sbin/bearerbox';
export const SMSBOX = '/usr/sbin/smsbox';

export const isKannelAvailable = (): boolean => isInstalled('kannel', () => existsSync(BEARERBOX));

export interface Kannel {
  /** The calls of the URL, in order: `dlr` with the type of a receipt, or `mo` with an inbound message. */
  readonly calls: URLSearchParams[];
  /** Sends a message and requests its receipt. */
  send(from: string, to: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startKannel(bind: { port: number; system_id: string; password: string }): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-kannel-peer-'));
  await mkdir(join(folder, 'log'));
  const [admin, box, sendsms, callback] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const calls: URLSearchParams[] = [];
  const receiver = createServer((incoming, response) => {
    calls.push(new URL(incoming.url!, 'http://localhost').searchParams);
    response.end('');
  });
  await new Promise<void>((resolve) => receiver.listen(callback, '127.0.0.1', resolve));
  const config = join(folder, 'kannel.conf');
  await writeFile(config, configuration({ folder, admin, box, sendsms, callback, ...bind }));
  const running: ChildProcess[] = [];
  const start = (program: string) => {
    running.push(spawn(program, ['-v', '4', config], { cwd: folder, stdio: 'ignore' }));
  };
  const stop = async () => {
    for (const child of running.reverse()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    receiver.closeAllConnections();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    start(BEARERBOX);
    await waitFor(`http://127.0.0.1:${admin}/status.txt?password=peer`, (body) => /online/.test(body));
    start(SMSBOX);
    await waitFor(`http://127.0.0.1:${sendsms}/cgi-bin/sendsms?username=peer&password=wrong&to=1&text=x`, () => true);
  } catch (error) {
    await stop();
    throw error;
  }
  const dlr = `http://127.0.0.1:${callback}/?dlr=%d`;
  return {
    calls,
    async send(from, to, text) {
      const query = new URLSearchParams({
        ...{ username: 'peer', password: 'peer', from, to, text, charset: 'UTF-8' },
        // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII
        ...{ coding: /^[\x00-\x7f]*$/.test(text) ? '0' : '2', 'dlr-mask': '3', 'dlr-url': dlr },
      });
      const response = await fetch(`http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query}`);
      if (response.status !== 202) throw new Error(`Kannel: ${response.status} ${await response.text()}`);
    },
    stop,
  };
}

async function waitFor(url: string, isReady: (body: string) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(url).catch(() => null);
    if (response && isReady(await response.text())) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Kannel did not start');
}

interface Places {
  folder: string;
  admin: number;
  box: number;
  sendsms: number;
  callback: number;
  port: number;
  system_id: string;
  password: string;
}

const configuration = (at: Places) => `
group = core
admin-port = ${at.admin}
admin-password = peer
status-password = peer
admin-interface = 127.0.0.1
smsbox-port = ${at.box}
smsbox-interface = 127.0.0.1
log-level = 3
log-file = "${at.folder}/log/bearerbox.log"
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = peer
host = 127.0.0.1
port = ${at.port}
transceiver-mode = 1
smsc-username = ${at.system_id}
smsc-password = ${at.password}
system-type = ""
interface-version = 34
enquire-link-interval = 30
source-addr-autodetect = true
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${at.box}
sendsms-port = ${at.sendsms}
sendsms-interface = 127.0.0.1
log-level = 3
log-file = "${at.folder}/log/smsbox.log"

group = sendsms-user
username = peer
password = peer
max-messages = 10
concatenation = true
user-allow-ip = "127.0.0.1"

group = sms-service
keyword = default
get-url = "http://127.0.0.1:${at.callback}/?mo=%a&from=%p&to=%P"
max-messages = 0
catch-all = true
`;

// The whole box: opens every door or none, and closes them all. Tests open it in their own process; main.ts is the program.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { openApi } from './api.ts';
import { Authenticators } from './authenticator.ts';
import { sandboxCertificate } from './certificate.ts';
import { claim } from './claim.ts';
import { Google } from './google.ts';
import { Live } from './live.ts';
import { Mailbox } from './mailbox.ts';
import { type PortSetting, type Settings, StartError, variableOf } from './settings.ts';
import { Smsc } from './smsc.ts';
import { openSmtp } from './smtp.ts';
import { Viber } from './viber/viber.ts';
import { Whatsapp } from './whatsapp/whatsapp.ts';
import { countParts } from './wire.ts';
import { World } from './world.ts';

export interface Sandbox {
  ports: { http: number; smpp: number; smpp_tls: number; smtp: number };
  world: World;
  close(): Promise<void>;
}

export interface Limits {
  keep?: number;
  segment_bytes?: number;
  answer_timeout_ms?: number;
}

export async function openSandbox(settings: Settings, limits: Limits = {}): Promise<Sandbox> {
  const { host, data_dir } = settings;
  const closing: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const act of closing.splice(0).reverse()) await act();
  };
  try {
    prepare(data_dir);
    closing.push(claim(data_dir));
    const live = new Live();
    closing.push(() => live.close());
    const world = new World({ data_dir, live, countParts, ...limits });
    closing.push(() => world.close());
    closing.push(() => world.chats.close());
    const viber = new Viber({ world, live, preset: settings.viber });
    world.chats.connect('VIBER', viber);
    const whatsapp = new Whatsapp(world, live, settings.whatsapp);
    const mailbox = new Mailbox(data_dir, live);
    const authenticators = new Authenticators(data_dir);
    const google = new Google();
    const smsc = new Smsc({ world, live, key_pair: sandboxCertificate(data_dir), ...limits });
    closing.push(() => smsc.close());
    const smpp = await door('smpp_port', settings, (port) => smsc.listenPlain(port, host));
    const smpp_tls = await door('smpp_tls_port', settings, (port) => smsc.listenTls(port, host));
    const smtp = await door('smtp_port', settings, (port) => openSmtp(mailbox, port, host));
    closing.push(() => smtp.close());
    const ports = { smpp, smpp_tls, smtp: smtp.port };
    const http = await door('http_port', settings, (port) =>
      openApi({ world, smsc, mailbox, live, google, authenticators, viber, whatsapp, ports }, port, host),
    );
    viber.origin = originOf(host, http.port);
    closing.push(() => http.api.close());
    // The stream would keep the server from closing.
    closing.push(() => live.close());
    return { ports: { http: http.port, ...ports }, world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function prepare(data_dir: string): void {
  try {
    mkdirSync(data_dir, { recursive: true });
    accessSync(data_dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`SANDBOX_DATA_DIR ${data_dir} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function door<T>(setting: PortSetting, settings: Settings, open: (port: number) => Promise<T>): Promise<T> {
  try {
    return await open(settings[setting]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const variable = variableOf(setting);
    const port = settings[setting];
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} (${variable}) is taken by another program`);
    if (code === 'EACCES') throw new StartError(`port ${port} (${variable}) may not be opened by this user`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`SANDBOX_HOST ${settings.host} is not an address of this machine`);
    }
    throw error;
  }
}

/** For links to this sandbox, where it listens. */
function originOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

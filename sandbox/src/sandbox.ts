/**
 * Opens and closes the entire sandbox. If any part fails to open, the parts that are already open are closed. Tests
 * open the sandbox in their own process; `main.ts` is the program.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { claim } from './claim.ts';
import { openApi } from './http/api.ts';
import { Hubspot } from './hubspot/hubspot.ts';
import { Authenticators } from './identity/authenticator.ts';
import { Google } from './identity/google.ts';
import { Live } from './live.ts';
import { Mailbox } from './mail/mailbox.ts';
import { openSmtp } from './mail/smtp.ts';
import { Pipedrive } from './pipedrive/pipedrive.ts';
import { Providers } from './providers/providers.ts';
import { Push } from './push/push.ts';
import { type PortSetting, type Settings, StartError, variableName } from './settings.ts';
import { sandboxCertificate } from './smsc/certificate.ts';
import { Smsc } from './smsc/smsc.ts';
import { countParts } from './smsc/wire.ts';
import { Stripe } from './stripe/stripe.ts';
import { Viber } from './viber/viber.ts';
import { Whatsapp } from './whatsapp/whatsapp.ts';
import { World } from './world/world.ts';

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
    for (const closePart of closing.splice(0).reverse()) await closePart();
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
    const stripe = new Stripe(data_dir, settings.stripe);
    closing.push(() => stripe.close());
    const pipedrive = new Pipedrive(data_dir, settings.pipedrive_callback_url);
    closing.push(() => pipedrive.close());
    const hubspot = new Hubspot(data_dir, settings.hubspot);
    closing.push(() => hubspot.close());
    const mailbox = new Mailbox(data_dir, live);
    const authenticators = new Authenticators(data_dir);
    const google = new Google();
    const push = new Push();
    const providers = new Providers(world);
    closing.push(() => providers.close());
    const smsc = new Smsc({ world, live, key_pair: sandboxCertificate(data_dir), ...limits });
    closing.push(() => smsc.close());
    const smpp = await openPort('smpp_port', settings, (port) => smsc.listenPlain(port, host));
    const smpp_tls = await openPort('smpp_tls_port', settings, (port) => smsc.listenTls(port, host));
    const smtp = await openPort('smtp_port', settings, (port) => openSmtp(mailbox, port, host));
    closing.push(() => smtp.close());
    const ports = { smpp, smpp_tls, smtp: smtp.port };
    const http = await openPort('http_port', settings, (port) =>
      openApi(
        {
          world,
          smsc,
          mailbox,
          live,
          google,
          authenticators,
          stripe,
          pipedrive,
          hubspot,
          push,
          viber,
          whatsapp,
          providers,
          ports,
        },
        port,
        host,
      ),
    );
    viber.origin = toOrigin(host, http.port);
    closing.push(() => http.api.close());
    // The live streams are closed first, because they would keep the server open.
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

async function openPort<T>(setting: PortSetting, settings: Settings, open: (port: number) => Promise<T>): Promise<T> {
  try {
    return await open(settings[setting]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const variable = variableName(setting);
    const port = settings[setting];
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} (${variable}) is in use by another program`);
    if (code === 'EACCES') throw new StartError(`port ${port} (${variable}) cannot be opened by this user`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`SANDBOX_HOST ${settings.host} is not an address of this machine`);
    }
    throw error;
  }
}

/** The origin of this sandbox, for links. */
function toOrigin(host: string, port: number): string {
  const anyAddress = host === '0.0.0.0' || host === '::';
  return `http://${anyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

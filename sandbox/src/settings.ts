/** Reads the settings from the environment and checks them before anything is opened. */
import { resolve } from 'node:path';
import type { WhatsappConfig } from './whatsapp/account.ts';

export interface Settings {
  host: string;
  http_port: number;
  smpp_port: number;
  smpp_tls_port: number;
  smtp_port: number;
  data_dir: string;
  /** The Viber service that always exists. Without a URL, it gets no callbacks. */
  viber: { callback_url: string; auth_token: string };
  /** The server that gets the webhooks of the payment provider. Without a URL, it gets none. */
  stripe: { url: string; secret: string };
  /** The callback URL of the app in the CRM, which is also the URL of its panel. */
  pipedrive_callback_url: string;
  hubspot: { callback: string; hook: string };
  /** The credentials and IDs for the Graph API. */
  whatsapp: WhatsappConfig;
}

/** A startup error that the user can fix, printed without a stack trace. */
export class StartError extends Error {}

const portNames = {
  http_port: ['SANDBOX_PORT', 4100],
  smpp_port: ['SANDBOX_SMPP_PORT', 4101],
  smpp_tls_port: ['SANDBOX_SMPP_TLS_PORT', 4102],
  smtp_port: ['SANDBOX_SMTP_PORT', 4103],
} as const;

export type PortSetting = keyof typeof portNames;

export const variableName = (setting: PortSetting): string => portNames[setting][0];

export function readSettings(env: Record<string, string | undefined>): Settings {
  const port = (setting: PortSetting): number => {
    const [name, fallback] = portNames[setting];
    const value = env[name]?.trim();
    if (!value) return fallback;
    if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
      throw new StartError(`${name} must be a port number from 0 to 65535 (0 takes any free port), not "${value}"`);
    }
    return Number(value);
  };
  const settings: Settings = {
    host: env.SANDBOX_HOST?.trim() || '127.0.0.1',
    http_port: port('http_port'),
    smpp_port: port('smpp_port'),
    smpp_tls_port: port('smpp_tls_port'),
    smtp_port: port('smtp_port'),
    data_dir: resolve(env.SANDBOX_DATA_DIR?.trim() || './data/sandbox'),
    viber: {
      callback_url: readWebAddress('VIBER_CALLBACK_URL', env.VIBER_CALLBACK_URL),
      auth_token: env.VIBER_AUTH_TOKEN?.trim() || 'sandbox-viber-token',
    },
    stripe: {
      url: readWebAddress('STRIPE_WEBHOOK_URL', env.STRIPE_WEBHOOK_URL),
      secret: env.STRIPE_WEBHOOK_SECRET?.trim() || 'whsec_sandbox',
    },
    pipedrive_callback_url:
      readWebAddress('PIPEDRIVE_CALLBACK_URL', env.PIPEDRIVE_CALLBACK_URL) || 'http://localhost:4000/pipedrive',
    hubspot: {
      callback: readWebAddress('HUBSPOT_CALLBACK_URL', env.HUBSPOT_CALLBACK_URL) || 'http://localhost:4000/crm/hubspot',
      hook:
        readWebAddress('HUBSPOT_WEBHOOK_URL', env.HUBSPOT_WEBHOOK_URL) || 'http://localhost:4000/callbacks/crm/hubspot',
    },
    whatsapp: {
      token: env.SANDBOX_WHATSAPP_TOKEN?.trim() || 'sandbox-whatsapp-token',
      app_secret: env.SANDBOX_WHATSAPP_APP_SECRET?.trim() || 'sandbox-app-secret',
      app_id: env.SANDBOX_WHATSAPP_APP_ID?.trim() || '1000000001',
      waba_id: env.SANDBOX_WHATSAPP_WABA_ID?.trim() || '2000000001',
    },
  };
  for (const id of [settings.whatsapp.app_id, settings.whatsapp.waba_id]) {
    if (!/^\d{5,20}$/.test(id)) throw new StartError(`a WhatsApp id must have 5 to 20 digits, not "${id}"`);
  }
  if (!/^[A-Za-z0-9.:-]+$/.test(settings.host)) {
    throw new StartError(`SANDBOX_HOST must be an IP address or a host name, not "${settings.host}"`);
  }
  const used = new Map<number, PortSetting>();
  for (const setting of Object.keys(portNames) as PortSetting[]) {
    const number = settings[setting];
    const other = used.get(number);
    if (number !== 0 && other)
      throw new StartError(`${variableName(other)} and ${variableName(setting)} are both ${number}`);
    used.set(number, setting);
  }
  return settings;
}

function readWebAddress(name: string, value = ''): string {
  const address = value.trim();
  if (address && !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new StartError(`${name} must be an HTTP URL, not "${address}"`);
  }
  return address;
}

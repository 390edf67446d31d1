/**
 * Settings of a connection to a phone with the app SMS Gateway for Android. A phone with two SIM cards is two
 * connections, so each SIM has its own number, rate, and daily limit.
 */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { pathId, providerPace, providerProfile } from './provider_settings.ts';

export const AndroidSettings = z.object({
  /** The API of the public server, of a private server, or of the phone itself. */
  base_url: carrierUrl('https://api.sms-gate.app/3rdparty/v1'),
  username: z.string().trim().max(100).default(''),
  password: secret,
  /** Verifies the phone's callbacks. */
  signing_key: secret,
  /** Required if the account has several phones. */
  device_id: pathId.default(''),
  sim: z.enum(['any', '1', '2', '3']).default('any'),
  /** The SIM's number, because not every phone can read it. */
  sim_number: z
    .string()
    .trim()
    .transform((text) => text.replace(/^\+/, ''))
    .pipe(z.string().regex(/^(\d{5,15})?$/, { error: 'must be a number in international format' }))
    .default(''),
  ...providerPace,
  window: providerPace.window.default(5),
});
export type AndroidSettings = z.output<typeof AndroidSettings>;

export const android = {
  channel: 'SMS',
  label: 'SMS through an Android phone',
  guide: {
    name: 'Android phone',
    keys: 'Username and password from the home screen of the SMS Gateway for Android app.',
    keys_url: 'https://docs.sms-gate.app/getting-started/',
    supports: ['receipts', 'replies', 'callback'],
    asks: ['base_url', 'sim', 'sim_number'],
  },
  settings: AndroidSettings,
  shown: AndroidSettings.omit({ password: true, signing_key: true }),
  secrets: z.enum(['password', 'signing_key']),
  profile: providerProfile,
  get defaults() {
    return AndroidSettings.parse({});
  },
  credentials: [
    {
      name: 'username',
      label: 'Username',
      description: 'From the home screen of the app.',
      fact: 'Username',
      required: true,
    },
    { name: 'password', label: 'Password', secret: true, required: true },
    {
      name: 'signing_key',
      label: 'Signing key',
      description: 'Verifies callbacks. In the app: Settings, Webhooks, Signing key.',
      secret: true,
      required: true,
    },
    { name: 'device_id', label: 'Device ID', description: 'If the account has several phones.', fact: 'Device' },
    {
      name: 'sim',
      label: 'SIM card',
      description: 'For a phone with two SIM cards, add a connection for each.',
      fact: 'SIM card',
      choices: [
        { value: 'any', label: 'As set in the app' },
        { value: '1', label: 'SIM 1' },
        { value: '2', label: 'SIM 2' },
        { value: '3', label: 'SIM 3' },
      ],
    },
    {
      name: 'sim_number',
      label: 'Phone number of the SIM',
      description: 'In international format. Replies arrive at this number.',
      fact: 'Phone number',
    },
  ],
  limits: [],
} as const satisfies AdapterSettings;

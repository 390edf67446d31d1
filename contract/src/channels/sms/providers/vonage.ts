/** Settings of a connection to Vonage. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { providerPace, providerProfile } from './provider_settings.ts';

export const VonageSettings = z.object({
  base_url: carrierUrl('https://rest.nexmo.com'),
  api_key: z.string().trim().max(100).default(''),
  api_secret: secret,
  /** Signs Vonage's callbacks with HMAC-SHA256. Callbacks without a valid signature are refused. */
  signature_secret: secret,
  ...providerPace,
});
export type VonageSettings = z.output<typeof VonageSettings>;

export const vonage = {
  channel: 'SMS',
  label: 'SMS through Vonage',
  guide: {
    name: 'Vonage',
    keys: 'API key and secret, under API settings in the Vonage dashboard. The signature secret is on the same page.',
    keys_url: 'https://dashboard.nexmo.com/settings',
    supports: ['receipts', 'replies', 'price', 'callback'],
  },
  settings: VonageSettings,
  shown: VonageSettings.omit({ api_secret: true, signature_secret: true }),
  secrets: z.enum(['api_secret', 'signature_secret']),
  profile: providerProfile,
  get defaults() {
    return VonageSettings.parse({});
  },
  credentials: [
    { name: 'api_key', label: 'API key', fact: 'API key', required: true },
    { name: 'api_secret', label: 'API secret', secret: true, required: true },
    {
      name: 'signature_secret',
      label: 'Signature secret',
      description: 'Verifies Vonage callbacks. Choose SHA-256 HMAC as the algorithm in the Vonage dashboard.',
      secret: true,
      required: true,
    },
  ],
  limits: [],
} as const satisfies AdapterSettings;

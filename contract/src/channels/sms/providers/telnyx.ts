/** Settings of a connection to Telnyx. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { providerPace, providerProfile } from './provider_settings.ts';

export const TelnyxSettings = z.object({
  base_url: carrierUrl('https://api.telnyx.com/v2'),
  api_key: secret,
  /** The public key, in Base64, that verifies Telnyx's callbacks. */
  public_key: z.string().trim().max(100).default(''),
  ...providerPace,
});
export type TelnyxSettings = z.output<typeof TelnyxSettings>;

export const telnyx = {
  channel: 'SMS',
  label: 'SMS through Telnyx',
  guide: {
    name: 'Telnyx',
    keys: 'API key and public key, under Keys & Credentials in the Telnyx portal.',
    keys_url: 'https://portal.telnyx.com/#/api-keys',
    supports: ['receipts', 'replies', 'media', 'price', 'callback'],
  },
  settings: TelnyxSettings,
  shown: TelnyxSettings.omit({ api_key: true }),
  secrets: z.enum(['api_key']),
  profile: providerProfile,
  get defaults() {
    return TelnyxSettings.parse({});
  },
  credentials: [
    { name: 'api_key', label: 'API key', secret: true, required: true },
    {
      name: 'public_key',
      label: 'Public key',
      description: 'Verifies Telnyx callbacks. Copy it from the Telnyx portal, under Account settings, Public key.',
      required: true,
    },
  ],
  limits: [],
} as const satisfies AdapterSettings;

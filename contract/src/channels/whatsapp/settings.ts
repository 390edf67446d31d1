/** Settings of a connection to the WhatsApp Cloud API. */
import { z } from 'zod';
import type { AdapterSettings } from '../adapter.ts';
import { carrierUrl, digits, pace, secret } from '../http_settings.ts';

export const WhatsAppSettings = z.object({
  base_url: carrierUrl('https://graph.facebook.com/v25.0'),
  access_token: secret,
  /** Required to submit templates with a sample file. */
  app_id: digits.or(z.literal('')).default(''),
  /** Signs WhatsApp's callbacks. */
  app_secret: secret,
  /** WhatsApp sends this token once, when the callback URL is registered. If it is empty, a token is generated. */
  verify_token: secret,
  /** The WhatsApp business account that holds the numbers and templates. */
  waba_id: digits,
  ...pace,
  throughput: pace.throughput.default(80),
});
export type WhatsAppSettings = z.output<typeof WhatsAppSettings>;

export const whatsapp = {
  channel: 'WHATSAPP',
  label: 'WhatsApp Cloud API',
  guide: {
    name: 'WhatsApp',
    keys: 'Business account ID and a system user’s access token, from Meta Business Suite.',
    keys_url: 'https://business.facebook.com/settings/system-users',
    supports: ['receipts', 'replies', 'callback'],
  },
  settings: WhatsAppSettings,
  shown: WhatsAppSettings.omit({ access_token: true, app_secret: true, verify_token: true }),
  secrets: z.enum(['access_token', 'app_secret', 'verify_token']),
  get defaults() {
    return { ...WhatsAppSettings.parse({ waba_id: '1' }), waba_id: '' };
  },
  credentials: [
    {
      name: 'waba_id',
      label: 'WhatsApp Business account ID',
      description: 'The numeric ID from WhatsApp Manager.',
      fact: 'WhatsApp Business account',
    },
    {
      name: 'access_token',
      label: 'Access token',
      description: 'A system user’s token with messaging and management permissions.',
      secret: true,
    },
    { name: 'app_id', label: 'App ID', description: 'Used to upload sample files for media templates.' },
    {
      name: 'app_secret',
      label: 'App secret',
      description: 'Verifies that callbacks come from WhatsApp.',
      secret: true,
    },
    { name: 'verify_token', label: 'Verify token', description: 'Generated if left empty.', secret: true },
  ],
  limits: [],
} as const satisfies AdapterSettings;

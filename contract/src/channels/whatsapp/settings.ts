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
  settings: WhatsAppSettings,
  shown: WhatsAppSettings.omit({ access_token: true, app_secret: true, verify_token: true }),
  secrets: z.enum(['access_token', 'app_secret', 'verify_token']),
} as const satisfies AdapterSettings;

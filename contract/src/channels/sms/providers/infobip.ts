/** Settings of a connection to Infobip. Every account has its own base URL. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { CALLBACK_SECRET_INPUT, callbackSecret, providerPace, providerProfile } from './provider_settings.ts';

export const InfobipSettings = z.object({
  base_url: carrierUrl('https://api.infobip.com'),
  api_key: secret,
  callback_secret: callbackSecret,
  ...providerPace,
});
export type InfobipSettings = z.output<typeof InfobipSettings>;

export const infobip = {
  channel: 'SMS',
  label: 'SMS through Infobip',
  guide: {
    name: 'Infobip',
    keys: 'API key and API URL from the home page of the Infobip portal.',
    keys_url: 'https://portal.infobip.com/homepage',
    supports: ['receipts', 'replies', 'price'],
    asks: ['base_url'],
    callback: 'For replies, open Channels, Numbers in the Infobip portal, and forward messages to this URL.',
  },
  url_help: 'Your API URL from the Infobip portal, without a path.',
  settings: InfobipSettings,
  shown: InfobipSettings.omit({ api_key: true, callback_secret: true }),
  secrets: z.enum(['api_key', 'callback_secret']),
  profile: providerProfile,
  get defaults() {
    return InfobipSettings.parse({});
  },
  credentials: [
    { name: 'api_key', label: 'API key', secret: true, required: true },
    { ...CALLBACK_SECRET_INPUT, required: true },
  ],
  limits: [],
} as const satisfies AdapterSettings;

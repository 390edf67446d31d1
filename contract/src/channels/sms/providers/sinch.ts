/** Settings of a connection to the SMS REST API of Sinch. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { CALLBACK_SECRET_INPUT, callbackSecret, pathId, providerPace, providerProfile } from './provider_settings.ts';

export const SinchSettings = z.object({
  base_url: carrierUrl('https://us.sms.api.sinch.com'),
  service_plan_id: pathId.default(''),
  api_token: secret,
  callback_secret: callbackSecret,
  ...providerPace,
});
export type SinchSettings = z.output<typeof SinchSettings>;

export const sinch = {
  channel: 'SMS',
  label: 'SMS through Sinch',
  guide: {
    name: 'Sinch',
    keys: 'Service plan ID and API token, under SMS, Service APIs in the Sinch dashboard.',
    keys_url: 'https://dashboard.sinch.com/sms/api/services',
    supports: ['receipts', 'replies', 'lookup'],
    callback: 'For replies, open the service plan in the Sinch dashboard, and enter this URL as its callback URL.',
  },
  settings: SinchSettings,
  shown: SinchSettings.omit({ api_token: true, callback_secret: true }),
  secrets: z.enum(['api_token', 'callback_secret']),
  profile: providerProfile,
  get defaults() {
    return SinchSettings.parse({});
  },
  credentials: [
    { name: 'service_plan_id', label: 'Service plan ID', fact: 'Service plan', required: true },
    { name: 'api_token', label: 'API token', secret: true, required: true },
    { ...CALLBACK_SECRET_INPUT, required: true },
  ],
  limits: [],
} as const satisfies AdapterSettings;

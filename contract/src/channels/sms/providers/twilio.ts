/** Settings of a connection to Twilio. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { pathId, providerPace, providerProfile } from './provider_settings.ts';

export const TwilioSettings = z.object({
  base_url: carrierUrl('https://api.twilio.com'),
  account_sid: pathId.default(''),
  /** Authenticates requests and signs Twilio's callbacks. */
  auth_token: secret,
  /** If set, Twilio chooses the sender from this service, and the message's own sender is ignored. */
  messaging_service_sid: pathId.default(''),
  ...providerPace,
});
export type TwilioSettings = z.output<typeof TwilioSettings>;

export const twilio = {
  channel: 'SMS',
  label: 'SMS through Twilio',
  guide: {
    name: 'Twilio',
    keys: 'Account SID and auth token from the home page of the Twilio Console.',
    keys_url: 'https://console.twilio.com',
    supports: ['receipts', 'replies', 'media', 'lookup', 'callback'],
    asks: ['messaging_service_sid'],
  },
  settings: TwilioSettings,
  shown: TwilioSettings.omit({ auth_token: true }),
  secrets: z.enum(['auth_token']),
  profile: providerProfile,
  get defaults() {
    return TwilioSettings.parse({});
  },
  credentials: [
    { name: 'account_sid', label: 'Account SID', fact: 'Account SID', required: true },
    {
      name: 'auth_token',
      label: 'Auth token',
      description: 'Also verifies Twilio callbacks.',
      secret: true,
      required: true,
    },
    {
      name: 'messaging_service_sid',
      label: 'Messaging service SID',
      description: 'If set, Twilio chooses the sender from this service.',
      fact: 'Messaging service',
    },
  ],
  limits: [],
} as const satisfies AdapterSettings;

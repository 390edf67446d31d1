/** Settings of a connection to Plivo. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { pathId, providerPace, providerProfile } from './provider_settings.ts';

export const PlivoSettings = z.object({
  base_url: carrierUrl('https://api.plivo.com'),
  auth_id: pathId.default(''),
  /** Authenticates requests and signs Plivo's callbacks. */
  auth_token: secret,
  /** If set, Plivo chooses the sender from this number pool, and the message's own sender is ignored. */
  powerpack_uuid: pathId.default(''),
  ...providerPace,
});
export type PlivoSettings = z.output<typeof PlivoSettings>;

export const plivo = {
  channel: 'SMS',
  label: 'SMS through Plivo',
  guide: {
    name: 'Plivo',
    keys: 'Auth ID and auth token from the home page of the Plivo console.',
    keys_url: 'https://console.plivo.com',
    supports: ['receipts', 'replies', 'media', 'price', 'lookup', 'callback'],
    asks: ['powerpack_uuid'],
  },
  settings: PlivoSettings,
  shown: PlivoSettings.omit({ auth_token: true }),
  secrets: z.enum(['auth_token']),
  profile: providerProfile,
  get defaults() {
    return PlivoSettings.parse({});
  },
  credentials: [
    { name: 'auth_id', label: 'Auth ID', fact: 'Auth ID', required: true },
    {
      name: 'auth_token',
      label: 'Auth token',
      description: 'Also verifies Plivo callbacks.',
      secret: true,
      required: true,
    },
    {
      name: 'powerpack_uuid',
      label: 'Powerpack UUID',
      description: 'If set, Plivo chooses the sender from this Powerpack.',
      fact: 'Powerpack',
    },
  ],
  limits: [],
} as const satisfies AdapterSettings;

/** Settings of a connection to Viber. */
import { z } from 'zod';
import { range } from '../../common.ts';
import type { AdapterSettings } from '../adapter.ts';
import { carrierUrl, pace, secret } from '../http_settings.ts';

export const ViberSettings = z.object({
  base_url: carrierUrl('https://services.viber.com/vibersrvc/1'),
  /** Signs Viber's callbacks. Sending needs no token, because Viber knows the IP address of this installation. */
  auth_token: secret,
  /** Maximum number of messages in a row without a reply within a session, as agreed with the provider. */
  in_a_row: range(1, 60).default(10),
  /** The maximum number of messages in one session. */
  in_session: range(1, 1_000).default(60),
  ...pace,
  throughput: pace.throughput.default(null),
});
export type ViberSettings = z.output<typeof ViberSettings>;

export const viber = {
  channel: 'VIBER',
  label: 'Viber business messages',
  guide: {
    name: 'Viber',
    keys: 'Ask Viber to allow your server’s IP address and to give you a callback token.',
    supports: ['receipts', 'replies'],
    callback: 'Send this URL to your contact at Viber. Viber enters it for your service.',
  },
  settings: ViberSettings,
  shown: ViberSettings.omit({ auth_token: true }),
  secrets: z.enum(['auth_token']),
  get defaults() {
    return ViberSettings.parse({});
  },
  credentials: [
    {
      name: 'auth_token',
      label: 'Callback token',
      description:
        'Verifies Viber callbacks. Sending does not use it, because Viber identifies your server by IP address.',
      secret: true,
    },
  ],
  limits: [
    {
      name: 'in_a_row',
      label: 'Messages in a row',
      description: 'Maximum number of messages per session without a reply, as agreed with Viber.',
      fact: 'Messages in a row',
      min: 1,
      max: 60,
    },
    {
      name: 'in_session',
      label: 'Messages per session',
      description: 'Maximum number of messages in a session, as agreed with Viber.',
      fact: 'Messages per session',
      min: 1,
      max: 1_000,
    },
  ],
} as const satisfies AdapterSettings;

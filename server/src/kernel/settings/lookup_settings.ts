/** The provider that looks up phone numbers. */
import { choice, optional, setting, text, webAddress } from './setting_kinds.ts';

export const LOOKUP_SETTINGS = {
  LOOKUP_PROVIDER: setting(
    choice(['none', 'twilio', 'infobip']),
    {
      meaning:
        'Provider of carrier lookups. Without one, results come from the numbering plan. `npm start` uses the sandbox.',
      example: 'twilio',
    },
    'none',
  ),
  LOOKUP_URL: optional(webAddress, {
    meaning: 'URL of the lookup API, such as https://lookups.twilio.com. Infobip gives each customer its own URL.',
    example: 'https://lookups.twilio.com',
  }),
  LOOKUP_SECRET: optional(text, {
    secret: true,
    meaning: 'Twilio: `key:secret` of an API key. Infobip: the API key.',
    example: 'SK0123456789:secret',
  }),
  LOOKUP_PRICE: setting(
    text
      .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be an amount such as 0.005')
      .transform((value) => Math.round(Number(value) * 1_000_000)),
    { meaning: "Price of a number that the provider finds, in the account's currency.", example: '0.01' },
    '0.005',
  ),
};

/** Settings for payments. */
import { list, optional, setting, text, webAddress } from './setting_kinds.ts';

/** An amount in a currency, such as `USD=1000`. */
interface Amount {
  readonly currency: string;
  readonly micros: number;
}

function amount(part: string): Amount | null {
  const [, currency = '', units = ''] = /^([A-Z]{3})=(\d{1,7}(?:\.\d{1,2})?)$/.exec(part) ?? [];
  return currency ? { currency, micros: Math.round(Number(units) * 1_000_000) } : null;
}

export const PAYMENT_SETTINGS = {
  SECOND_OPERATOR_ABOVE: setting(
    list(amount, 'is not an amount such as USD=1000'),
    {
      meaning: 'Amounts above which a second operator approves a change of a balance. Default: no approval.',
      example: 'USD=1000,EUR=900',
    },
    '',
  ),
  VIES_URL: optional(webAddress, {
    meaning:
      'Address of the VAT register of the European Union (VIES), which checks the VAT numbers of customers. Without ' +
      'it, only their format is checked. `npm start` uses the sandbox.',
    example: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  }),
  STRIPE_SECRET_KEY: optional(text, {
    secret: true,
    meaning: 'Secret key of a Stripe account. Without it, customers pay by bank transfer only.',
    example: 'sk_live_...',
  }),
  STRIPE_PUBLISHABLE_KEY: optional(text, {
    meaning: 'Publishable key of the Stripe account. Browsers use it for the card form.',
    example: 'pk_live_...',
  }),
  STRIPE_WEBHOOK_SECRET: optional(text, {
    secret: true,
    meaning: 'Signing secret of the Stripe webhook to PUBLIC_URL/callbacks/payments/stripe.',
    example: 'whsec_...',
  }),
  STRIPE_API_URL: setting(
    webAddress,
    { meaning: 'Address of the Stripe API. `npm start` uses the sandbox.', example: 'https://api.stripe.com' },
    'https://api.stripe.com',
  ),
  STRIPE_SCRIPT_URL: setting(
    text.regex(/^https?:\/\/[^\s;,'"]+$/, 'must be a web address'),
    {
      meaning: 'Address of Stripe’s script, which shows the card form. `npm start` uses the sandbox.',
      example: 'https://js.stripe.com/endive/stripe.js',
    },
    'https://js.stripe.com/endive/stripe.js',
  ),
};

/** Settings for card payments. */
import { optional, setting, text, webAddress } from './setting_kinds.ts';

export const PAYMENT_SETTINGS = {
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

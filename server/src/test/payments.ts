/** Plays the browser: confirms payments and cards with the payment provider in the sandbox. */
import { systemClock } from '../kernel/clock.ts';
import { type Caller, createWorld, type Reply, startSandbox, type World, type WorldOptions } from './world.ts';

export const CARDS = {
  ok: '4242424242424242',
  declined: '4000000000000002',
  challenge: '4000000000003220',
  refusedLater: '4000000000000341',
  disputed: '4000000000000259',
  twice: '4000000000007013',
  reversed: '4000000000007021',
  lost: '4000000000007039',
} as const;

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

export class Browser {
  readonly url: string;

  constructor(sandbox: string) {
    this.url = sandbox;
  }

  /** Enters a card, and completes a challenge if there is one. Returns the provider’s response. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  async confirm(client_secret: string, card: { number: string } | { saved: string }, passes = true): Promise<any> {
    const fields: Record<string, string> =
      'saved' in card
        ? { payment_method: card.saved }
        : {
            'payment_method_data[card][number]': card.number,
            'payment_method_data[card][exp_month]': '12',
            'payment_method_data[card][exp_year]': '2040',
          };
    const confirmed = await this.post(client_secret, 'confirm', fields);
    if (confirmed.status !== 'requires_action') return confirmed;
    return this.post(client_secret, 'authenticate', { result: passes ? 'succeeded' : 'failed' });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  private async post(client_secret: string, action: string, fields: Record<string, string>): Promise<any> {
    const id = client_secret.split('_secret_')[0]!;
    const kind = id.startsWith('pi_') ? 'payment_intents' : 'setup_intents';
    const response = await fetch(`${this.url}/v1/${kind}/${id}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form({ key: 'pk_test_sandbox', client_secret, ...fields }),
    });
    return response.json();
  }

  /** Calls the sandbox’s own API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  async call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${this.url}/api/stripe/${path}`, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  }
}

export interface PaymentWorld extends World {
  browser: Browser;
}

/** A world whose payment provider is the sandbox. Its webhooks reach the app. */
export async function createPaymentWorld(
  folder: string,
  {
    role = 'all',
    clock = systemClock,
    settings = {},
    findUrl = async (sandbox) => sandbox,
  }: Partial<Pick<WorldOptions, 'role' | 'clock' | 'settings'>> & {
    /** Returns the address of the provider’s API, if something stands in between. */
    findUrl?: (sandbox: string) => Promise<string>;
  } = {},
): Promise<PaymentWorld> {
  const sandbox = await startSandbox(folder);
  const world = await createWorld({
    role,
    clock,
    settings: {
      ...settings,
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_API_URL: await findUrl(sandbox.url),
      STRIPE_SCRIPT_URL: `${sandbox.url}/stripe/stripe.js`,
      SMTP_URL: `smtp://127.0.0.1:${sandbox.smtp}`,
    },
  });
  const browser = new Browser(sandbox.url);
  await browser.call('PUT', 'webhook', { url: `${world.url}/callbacks/payments/stripe`, secret: 'whsec_sandbox' });
  return {
    ...world,
    browser,
    async stop() {
      await world.stop();
      await sandbox.stop();
    },
  };
}

/** Starts a payment and confirms it in the browser. Returns the id of the payment. */
export async function pay(
  { browser }: Pick<PaymentWorld, 'browser'>,
  customer: Caller,
  card: string,
  body: { amount_micros?: number; save_card?: boolean } = {},
): Promise<{ id: string; client_secret: string }> {
  const started = await customer.post('/v1/payment_intents', { amount_micros: 50_000_000, ...body });
  if (started.status !== 201) throw new Error(started.text);
  await browser.confirm(started.body.data.client_secret, { number: card });
  return started.body.data;
}

export const reportPaid = (customer: Caller, id: string): Promise<Reply> =>
  customer.post('/v1/payments', { payment_intent: id });

/** The adapter for Stripe, built on Stripe's library. The API's address is a setting, so tests can use the sandbox. */
import type Stripe from 'stripe';
import { singleAgent } from '../../kernel/http/forward_proxy.ts';
import {
  CallbackRefused,
  type Card,
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRange,
} from './provider.ts';

export interface StripeSettings {
  secret_key: string;
  webhook_secret: string;
  api_url: string;
}

const TIMEOUT_MS = 20_000;
const EXPAND = ['latest_charge'];

export async function createStripeProvider(settings: StripeSettings): Promise<PaymentProvider> {
  // Loaded on first use, because the library is large and many installations take no cards.
  const { default: Library } = await import('stripe');
  const { protocol, hostname, port } = new URL(settings.api_url);
  const secure = protocol === 'https:';
  const stripe = new Library(settings.secret_key, {
    protocol: secure ? 'https' : 'http',
    host: hostname,
    port: port || (secure ? 443 : 80),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: Library.createNodeHttpClient(singleAgent(secure)),
  });
  const { errors } = Library;
  return {
    ...paymentCalls(stripe, errors),
    ...cardCalls(stripe, errors),
    ...listCalls(stripe, errors),
    readCallback: async (body, signature) => readCallback(stripe, settings.webhook_secret, body, signature),
  };
}

type Errors = typeof Stripe.errors;

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProviderError(error);
  }
}

function paymentCalls(
  stripe: Stripe,
  errors: Errors,
): Pick<PaymentProvider, 'createPayment' | 'chargeCard' | 'readPayment' | 'readSecret' | 'refund'> {
  return {
    createPayment: (payment) =>
      call(async () => {
        const intent = await stripe.paymentIntents.create(intentParams(payment), {
          idempotencyKey: `payment:${payment.payment_id}`,
        });
        return { provider_id: intent.id, client_secret: intent.client_secret! };
      }),
    async chargeCard(payment) {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            ...intentParams(payment),
            payment_method: payment.card_id,
            off_session: true,
            confirm: true,
            expand: EXPAND,
          },
          { idempotencyKey: `payment:${payment.payment_id}` },
        );
        return toPayment(intent, null);
      } catch (error) {
        const refused = error instanceof errors.StripeCardError ? error.payment_intent : undefined;
        if (!refused) throw new ProviderError(error);
        // A declined card leaves a payment that only the cardholder could complete. It is canceled instead.
        const read = toPayment(refused, null);
        await stripe.paymentIntents.cancel(refused.id).catch(() => {});
        return { ...read, status: 'failed', failure: (error as Error).message };
      }
    },
    readPayment: (id) => call(() => readIntent(stripe, id)),
    readSecret: (id) => call(async () => (await stripe.paymentIntents.retrieve(id)).client_secret!),
    async refund(payment_intent, amount, key) {
      try {
        await stripe.refunds.create({ payment_intent, amount }, { idempotencyKey: key });
        return true;
      } catch (error) {
        if (error instanceof errors.StripeInvalidRequestError) return false;
        throw new ProviderError(error);
      }
    },
  };
}

const PAGE_SIZE = 100;
const readIntent = async (stripe: Stripe, id: string): Promise<ProviderPayment> => {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: EXPAND });
  return toPayment(intent, await readDispute(stripe, intent));
};

/** In whole seconds, so that adjacent ranges leave no gap. */
const rangeParams = ({ from, until, cursor }: ProviderRange) => ({
  created: { gte: Math.floor(from.getTime() / 1000), lt: Math.floor(until.getTime() / 1000) },
  limit: PAGE_SIZE,
  ...(cursor === null ? {} : { starting_after: cursor }),
});

/** The provider lists the newest first. */
const nextCursor = ({ data, has_more }: Stripe.ApiList<{ id: string }>): string | null =>
  has_more ? (data.at(-1)?.id ?? null) : null;

function listCalls(
  stripe: Stripe,
  errors: Errors,
): Pick<PaymentProvider, 'findPayment' | 'listPayments' | 'listChanges'> {
  return {
    async findPayment(id) {
      try {
        return await readIntent(stripe, id);
      } catch (error) {
        if (error instanceof errors.StripeInvalidRequestError && error.statusCode === 404) return null;
        throw new ProviderError(error);
      }
    },
    listPayments: (range) =>
      call(async () => {
        const page = await stripe.paymentIntents.list({
          ...rangeParams(range),
          expand: EXPAND.map((field) => `data.${field}`),
        });
        const payments: ProviderPayment[] = [];
        for (const intent of page.data) payments.push(toPayment(intent, await readDispute(stripe, intent)));
        return { payments, cursor: nextCursor(page) };
      }),
    listChanges: (kind, range) =>
      call(async () => {
        const page: Stripe.ApiList<Stripe.Refund | Stripe.Dispute> = await stripe[kind].list(rangeParams(range));
        const ids = page.data.flatMap(({ payment_intent }) =>
          typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? []),
        );
        return { provider_ids: [...new Set(ids)], cursor: nextCursor(page) };
      }),
  };
}

function cardCalls(
  stripe: Stripe,
  errors: Errors,
): Pick<PaymentProvider, 'createCustomer' | 'createSetup' | 'readSetup' | 'removeCard'> {
  return {
    createCustomer: ({ account_id, company_name }) =>
      call(async () => {
        const customer = await stripe.customers.create(
          { name: company_name, metadata: { account_id } },
          { idempotencyKey: `customer:${account_id}` },
        );
        return customer.id;
      }),
    createSetup: (customer) =>
      call(async () => {
        const setup = await stripe.setupIntents.create({
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
        });
        return { id: setup.id, client_secret: setup.client_secret! };
      }),
    readSetup: (id, customer_id) =>
      call(async () => {
        const setup = await stripe.setupIntents.retrieve(id, { expand: ['payment_method'] });
        const method = setup.payment_method;
        if (setup.status !== 'succeeded' || setup.customer !== customer_id) return null;
        return method && typeof method === 'object' ? toCard(method.id, method.card) : null;
      }),
    removeCard: (id) =>
      call(async () => {
        await stripe.paymentMethods.detach(id).catch((error: unknown) => {
          // The card is already detached.
          if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
        });
      }),
  };
}

function readCallback(stripe: Stripe, secret: string, body: Buffer, signature: string): readonly string[] {
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, signature, secret);
  } catch (error) {
    throw new CallbackRefused('the signature is not valid', { cause: error });
  }
  const object = event.data.object as { id?: string; object?: string; payment_intent?: string | { id: string } };
  const intent = object.object === 'payment_intent' ? object.id : object.payment_intent;
  const id = typeof intent === 'object' ? intent?.id : intent;
  return id ? [id] : [];
}

const intentParams = (payment: Parameters<PaymentProvider['createPayment']>[0]): Stripe.PaymentIntentCreateParams => ({
  amount: payment.amount_cents,
  currency: payment.currency.toLowerCase(),
  customer: payment.customer_id,
  allowed_payment_method_types: ['card'],
  metadata: { account_id: payment.account_id, payment_id: payment.payment_id },
  ...(payment.save_card ? { setup_future_usage: 'off_session' } : {}),
});

async function readDispute(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ProviderPayment['dispute']> {
  const charge = intent.latest_charge;
  if (!charge || typeof charge === 'string' || !charge.disputed) return null;
  const { data } = await stripe.disputes.list({ payment_intent: intent.id, limit: 1 });
  const status = data[0]?.status;
  // Early inquiries take no money.
  if (!status || status.startsWith('warning_')) return null;
  return status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open';
}

function toPayment(intent: Stripe.PaymentIntent, dispute: ProviderPayment['dispute']): ProviderPayment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const method = typeof intent.payment_method === 'string' ? intent.payment_method : (intent.payment_method?.id ?? '');
  const card = charge?.payment_method_details?.card;
  return {
    provider_id: intent.id,
    account_id: intent.metadata.account_id ?? '',
    payment_id: intent.metadata.payment_id ?? '',
    status: toStatus(intent),
    amount_cents: intent.amount,
    currency: intent.currency.toUpperCase(),
    refunded_cents: charge?.amount_refunded ?? 0,
    dispute,
    card: card ? toCard(method, card) : null,
    saved: intent.setup_future_usage === 'off_session',
    failure: intent.last_payment_error?.message ?? null,
  };
}

function toStatus({ status, last_payment_error }: Stripe.PaymentIntent): ProviderPayment['status'] {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'canceled') return 'canceled';
  return status === 'requires_payment_method' && last_payment_error ? 'failed' : 'open';
}

interface CardFacts {
  brand?: string | null;
  last4?: string | null;
  exp_month?: number;
  exp_year?: number;
  fingerprint?: string | null;
}

const toCard = (provider_id: string, card: CardFacts | undefined | null): Card => ({
  provider_id,
  brand: card?.brand ?? 'card',
  last4: card?.last4 ?? '',
  exp_month: card?.exp_month ?? 1,
  exp_year: card?.exp_year ?? 2000,
  // Without a fingerprint, every payment counts as one from a new card.
  fingerprint: card?.fingerprint ?? provider_id,
});

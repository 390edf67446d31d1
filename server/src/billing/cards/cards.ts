/** The payment provider of this installation, if one is configured. */
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type PaymentProvider, ProviderError } from './provider.ts';
import { createStripeProvider } from './stripe.ts';

const providers = new WeakMap<Kernel['config'], Promise<PaymentProvider>>();

/** Returns the provider, or null if this installation takes no cards. */
export function findProvider({ config }: Pick<Kernel, 'config'>): Promise<PaymentProvider> | null {
  const known = providers.get(config);
  if (known) return known;
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = config;
  if (STRIPE_SECRET_KEY === null || STRIPE_WEBHOOK_SECRET === null) return null;
  const provider = createStripeProvider({
    secret_key: STRIPE_SECRET_KEY,
    webhook_secret: STRIPE_WEBHOOK_SECRET,
    api_url: STRIPE_API_URL,
  });
  providers.set(config, provider);
  return provider;
}

/** Calls the provider for a request. Throws PAYMENTS_OFF or PAYMENT_PROVIDER_FAILED. Never call it in a transaction. */
export async function withProvider<T>(
  kernel: Pick<Kernel, 'config' | 'log'>,
  work: (provider: PaymentProvider) => Promise<T>,
): Promise<T> {
  const provider = findProvider(kernel);
  if (!provider) throw new Problem('PAYMENTS_OFF');
  try {
    return await work(await provider);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    kernel.log.error({ err: error }, 'the payment provider failed');
    throw new Problem('PAYMENT_PROVIDER_FAILED', { internal: error.message });
  }
}

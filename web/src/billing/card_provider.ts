/**
 * The payment provider's script in the browser. It shows the card form in a frame of the provider, so the card number
 * never reaches this page. The sandbox has a script with the same functions.
 */
import type { PaymentSettings } from '@parley/contract/billing/payments.ts';

interface CardFormPart {
  mount(target: HTMLElement): void;
  destroy(): void;
}
interface Elements {
  create(type: 'payment'): CardFormPart;
  submit(): Promise<{ error?: { message?: string } }>;
}
interface Confirmation {
  elements?: Elements;
  clientSecret: string;
  confirmParams: { return_url: string; payment_method?: string };
  redirect: 'if_required';
}
interface Outcome {
  error?: { type?: string; message?: string };
}
export interface CardProvider {
  elements(options: { clientSecret: string }): Elements;
  confirmPayment(confirmation: Confirmation): Promise<Outcome>;
  confirmSetup(confirmation: Confirmation): Promise<Outcome>;
}
export type { CardFormPart, Elements };

let loading: Promise<CardProvider> | null = null;

/** Loads the script once. A failed load can be retried. */
export function loadCardProvider({ publishable_key, script_url }: PaymentSettings): Promise<CardProvider> {
  loading ??= new Promise<CardProvider>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = script_url ?? '';
    script.async = true;
    script.onload = () => {
      const { Stripe } = globalThis as { Stripe?: (key: string) => CardProvider };
      if (Stripe && publishable_key) resolve(Stripe(publishable_key));
      else reject(new Error('The card form could not be loaded.'));
    };
    script.onerror = () => reject(new Error('The card form could not be loaded. Check your connection and try again.'));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** The address to which the bank returns the customer, if it leaves the page. */
export const returnUrl = (path: string): string => `${window.location.origin}${path}`;

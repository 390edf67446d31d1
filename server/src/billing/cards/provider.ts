/**
 * The port to a payment provider, which takes cards. An adapter translates its API; no other code uses it. Amounts are
 * in cents. Every call that creates something takes a key, so that a repeated call creates nothing.
 */

export interface Card {
  provider_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  /** The same for every use of one card number. */
  fingerprint: string;
}

/** The state of a payment at the provider. It is read again for every report, so the order of reports is irrelevant. */
export interface ProviderPayment {
  provider_id: string;
  /** The account and the payment that Parley stored with it. */
  account_id: string;
  payment_id: string;
  status: 'open' | 'succeeded' | 'failed' | 'canceled';
  amount_cents: number;
  currency: string;
  refunded_cents: number;
  dispute: 'open' | 'won' | 'lost' | null;
  card: Card | null;
  /** True if the card was saved at the provider. */
  saved: boolean;
  /** Why the last attempt failed, in words for the customer. */
  failure: string | null;
}

interface NewPayment {
  account_id: string;
  payment_id: string;
  customer_id: string;
  amount_cents: number;
  currency: string;
  save_card: boolean;
}

/** The period whose new objects the provider lists, one page at a time. `cursor` continues after a page. */
export interface ProviderRange {
  from: Date;
  until: Date;
  cursor: string | null;
}

export interface PaymentProvider {
  createCustomer(account: { account_id: string; company_name: string }): Promise<string>;
  /** The browser confirms the payment with the secret. */
  createPayment(payment: NewPayment): Promise<{ provider_id: string; client_secret: string }>;
  /** Charges a saved card without the customer. A declined card is a result, not an error. */
  chargeCard(payment: NewPayment & { card_id: string }): Promise<ProviderPayment>;
  readPayment(provider_id: string): Promise<ProviderPayment>;
  /** Returns null if the provider does not know the payment. */
  findPayment(provider_id: string): Promise<ProviderPayment | null>;
  /** Lists payments, including those that other programs have created. A null cursor ends the list. */
  listPayments(range: ProviderRange): Promise<{ payments: ProviderPayment[]; cursor: string | null }>;
  /** Lists the payments of refunds or disputes, which can be much older than these. */
  listChanges(
    kind: 'refunds' | 'disputes',
    range: ProviderRange,
  ): Promise<{ provider_ids: string[]; cursor: string | null }>;
  readSecret(provider_id: string): Promise<string>;
  createSetup(customer_id: string): Promise<{ id: string; client_secret: string }>;
  /** Returns the confirmed card, or null if the setup is not confirmed or belongs to another customer. */
  readSetup(id: string, customer_id: string): Promise<Card | null>;
  removeCard(provider_id: string): Promise<void>;
  /** Refunds part of a payment. `key` makes a repeated call harmless. Returns false if it cannot be refunded. */
  refund(provider_id: string, amount_cents: number, key: string): Promise<boolean>;
  /** Returns the payments that a callback is about. Throws CallbackRefused unless it is authentic and recent. */
  readCallback(body: Buffer, signature: string): Promise<readonly string[]>;
}

/** The provider refused the call or did not respond. */
export class ProviderError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the payment provider failed', { cause });
    this.name = 'ProviderError';
  }
}
export class CallbackRefused extends Error {}

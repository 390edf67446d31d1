/**
 * The payment provider: customers, cards, payments, refunds, and disputes. Its state survives a restart. A repeated
 * call with the same idempotency key gets the stored response.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Facts } from '../storage/facts.ts';
import { Journal } from '../storage/journal.ts';
import { type CardRule, cardRules } from './cards.ts';
import type {
  CardError,
  Charge,
  Customer,
  Dispute,
  Intent,
  Metadata,
  Method,
  Refund,
  StripeObject,
} from './objects.ts';
import { Webhooks, type WebhookTarget } from './webhooks.ts';

/** A refusal in the format of the payment API. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message));
    this.status = status;
    this.body = { error };
  }
}

const invalidRequest = (message: string, status = 400) =>
  new StripeError(status, { type: 'invalid_request_error', message });
const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
const seconds = (): number => Math.floor(Date.now() / 1000);
const disputeMs = 500;

export interface CardInput {
  number: string;
  exp_month: number;
  exp_year: number;
}

interface NewIntent {
  amount: number;
  currency: string;
  customer: string | null;
  metadata: Metadata;
  setup_future_usage: Intent['setup_future_usage'];
}

interface Stored {
  status: number;
  body: unknown;
  request: string;
}

export class Stripe {
  readonly webhooks: Webhooks;
  private readonly facts = new Facts();
  private readonly journal: Journal<[string, unknown]>;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(data_dir: string, preset: WebhookTarget) {
    this.journal = new Journal({
      directory: join(data_dir, 'stripe'),
      head: () => [...this.facts.entries()],
      replay: ([key, value]) => {
        this.facts.apply(key, value);
        return undefined;
      },
    });
    this.facts.onChange((key, value) => void this.journal.append([key, value]));
    this.webhooks = new Webhooks(() => this.facts.get<WebhookTarget>('target') ?? preset);
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.webhooks.close();
    this.journal.close();
  }

  set target(target: WebhookTarget) {
    this.facts.put('target', target);
  }

  /** Returns the stored response of a call with this key. */
  replay(key: string, request: string): Stored | null {
    const stored = this.facts.get<Stored>(`key:${key}`);
    if (!stored) return null;
    if (stored.request !== request)
      throw new StripeError(400, {
        type: 'idempotency_error',
        message: 'This idempotency key was used with other parameters.',
      });
    return stored;
  }

  remember(key: string, stored: Stored): void {
    this.facts.put(`key:${key}`, stored);
  }

  get<T extends StripeObject>(id: string): T {
    const object = this.facts.get<T>(`object:${id}`);
    if (!object) throw invalidRequest(`No such object: '${id}'`, 404);
    return object;
  }

  payments(): Intent[] {
    return this.facts.list<Intent>('object:pi_').reverse();
  }

  createCustomer(name: string, metadata: Metadata): Customer {
    return this.put<Customer>({ id: newId('cus'), object: 'customer', name, metadata });
  }

  createIntent(kind: Intent['object'], fields: NewIntent): Intent {
    const id = newId(kind === 'payment_intent' ? 'pi' : 'seti');
    return this.put<Intent>({
      id,
      object: kind,
      ...fields,
      status: 'requires_payment_method',
      client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
      payment_method: null,
      payment_method_types: ['card'],
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      created: seconds(),
      livemode: false,
    });
  }

  createMethod({ number, exp_month, exp_year }: CardInput): Method {
    const rule = cardRules[number];
    if (!rule) throw this.cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.' });
    return this.put<Method>({
      id: newId('pm'),
      object: 'payment_method',
      type: 'card',
      customer: null,
      number,
      card: {
        brand: rule.brand,
        last4: number.slice(-4),
        exp_month,
        exp_year,
        fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 16),
      },
    });
  }

  /** Charges a payment, or saves the card of a setup. `session` is false if the customer is not there. */
  confirm(id: string, method_id: string, session: boolean): Intent {
    const intent = this.get<Intent>(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalidRequest(`The intent has the status ${intent.status}`);
    const method = this.get<Method>(method_id);
    const rule = cardRules[method.number]!;
    const isSaved = method.customer !== null;
    if (isSaved && method.customer !== intent.customer) throw invalidRequest('The card belongs to another customer');
    const refusal = isSaved || !session ? (rule.refusesLater ?? rule.refusal) : rule.refusal;
    if (rule.challenge && (!isSaved || session))
      return this.put<Intent>({
        ...intent,
        payment_method: method.id,
        status: 'requires_action',
        next_action: { type: 'use_stripe_sdk' },
      });
    return refusal ? this.fail(intent, method, refusal) : this.succeed(intent, method, rule);
  }

  /** The customer has confirmed or refused the challenge. */
  authenticate(id: string, accepted: boolean): Intent {
    const intent = this.get<Intent>(id);
    if (intent.status !== 'requires_action') throw invalidRequest('The intent needs no confirmation');
    const method = this.get<Method>(intent.payment_method!);
    const rule = cardRules[method.number]!;
    const code = intent.object === 'payment_intent' ? 'payment_intent' : 'setup_intent';
    if (!accepted)
      return this.fail(intent, method, {
        code: `${code}_authentication_failure`,
        message: 'We are unable to authenticate your payment method. Choose a different payment method and try again.',
      });
    return rule.refusal ? this.fail(intent, method, rule.refusal) : this.succeed(intent, method, rule);
  }

  cancel(id: string): Intent {
    const intent = this.get<Intent>(id);
    if (intent.status === 'succeeded') throw invalidRequest('A payment that has succeeded cannot be canceled');
    const canceled = this.put<Intent>({ ...intent, status: 'canceled', next_action: null });
    this.webhooks.send('payment_intent.canceled', canceled, undefined, 1);
    return canceled;
  }

  refund(id: string, amount: number | undefined): Refund {
    const intent = this.get<Intent>(id);
    if (!intent.latest_charge) throw invalidRequest('The payment has no charge');
    const charge = this.get<Charge>(intent.latest_charge);
    const left = charge.amount - charge.amount_refunded;
    const refunded = amount ?? left;
    if (charge.disputed) throw invalidRequest('A disputed charge cannot be refunded');
    if (refunded <= 0 || refunded > left) throw invalidRequest('The refund is larger than what is left');
    const next = this.put<Charge>({
      ...charge,
      amount_refunded: charge.amount_refunded + refunded,
      refunded: refunded === left,
    });
    const refund = this.put<Refund>({
      ...{ id: newId('re'), object: 'refund', amount: refunded, status: 'succeeded', payment_intent: id },
      charge: charge.id,
      created: seconds(),
    });
    this.webhooks.send('charge.refunded', next, this.delivery(intent), 2);
    return refund;
  }

  refunds(): Refund[] {
    return this.facts.list<Refund>('object:re_').reverse();
  }

  /** All disputes, or those of one payment, newest first. */
  disputes(payment_intent?: string): Dispute[] {
    const all = this.facts.list<Dispute>('object:dp_').reverse();
    return payment_intent === undefined ? all : all.filter((dispute) => dispute.payment_intent === payment_intent);
  }

  dispute(id: string): Dispute {
    const intent = this.get<Intent>(id);
    const charge = this.get<Charge>(intent.latest_charge ?? '');
    this.put<Charge>({ ...charge, disputed: true });
    const dispute = this.put<Dispute>({
      ...{ id: newId('dp'), object: 'dispute', amount: charge.amount, status: 'needs_response', payment_intent: id },
      charge: charge.id,
      created: seconds(),
    });
    this.webhooks.send('charge.dispute.created', dispute, this.delivery(intent), 2);
    return dispute;
  }

  closeDispute(id: string, status: 'won' | 'lost'): Dispute {
    const dispute = this.put<Dispute>({ ...this.get<Dispute>(id), status });
    this.webhooks.send('charge.dispute.closed', dispute, undefined, 3);
    return dispute;
  }

  detach(id: string): Method {
    const method = this.get<Method>(id);
    if (method.customer === null) throw invalidRequest('The card is not attached to a customer');
    return this.put<Method>({ ...method, customer: null });
  }

  private delivery(intent: Intent): CardRule['webhooks'] {
    return cardRules[this.get<Method>(intent.payment_method ?? '').number]?.webhooks;
  }

  private put<T extends StripeObject>(object: T): T {
    this.facts.put(`object:${object.id}`, object);
    return object;
  }

  private cardError(refusal: Omit<CardError, 'type'>, extra: Record<string, unknown> = {}): StripeError {
    return new StripeError(402, { type: 'card_error', ...refusal, ...extra });
  }

  private fail(intent: Intent, method: Method, refusal: Omit<CardError, 'type'>): never {
    const failed = this.put<Intent>({
      ...intent,
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: { type: 'card_error', ...refusal },
    });
    if (intent.object === 'payment_intent')
      this.webhooks.send('payment_intent.payment_failed', failed, cardRules[method.number]!.webhooks, 1);
    throw this.cardError(refusal, { [intent.object]: failed });
  }

  private succeed(intent: Intent, method: Method, rule: CardRule): Intent {
    const done = { ...intent, status: 'succeeded' as const, payment_method: method.id, next_action: null };
    if (intent.object === 'setup_intent' || intent.setup_future_usage)
      this.put<Method>({ ...method, customer: intent.customer });
    if (intent.object === 'setup_intent') return this.put<Intent>({ ...done, last_payment_error: null });
    const charge = this.put<Charge>({
      ...{ id: newId('ch'), object: 'charge', amount: intent.amount, amount_refunded: 0, currency: intent.currency },
      ...{ disputed: false, refunded: false, payment_intent: intent.id, payment_method: method.id },
      payment_method_details: { type: 'card', card: method.card },
      created: seconds(),
    });
    const paid = this.put<Intent>({ ...done, last_payment_error: null, latest_charge: charge.id });
    this.webhooks.send('charge.succeeded', charge, rule.webhooks, 0);
    this.webhooks.send('payment_intent.succeeded', paid, rule.webhooks, 1);
    if (rule.disputed) {
      const timer = setTimeout(() => this.dispute(intent.id), disputeMs);
      this.timers.add(timer);
    }
    return paid;
  }
}

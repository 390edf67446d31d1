/** The objects of the payment API, with the fields that its client reads. */
export type Metadata = Record<string, string>;

export interface Customer {
  id: string;
  object: 'customer';
  name: string;
  metadata: Metadata;
}
export interface Card {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
}
export interface Method {
  id: string;
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  card: Card;
  /** The key of the card’s rule. Never sent. */
  number: string;
}
export interface CardError {
  type: 'card_error';
  code: string;
  decline_code?: string;
  message: string;
}
type IntentStatus = 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';

export interface Intent {
  id: string;
  object: 'payment_intent' | 'setup_intent';
  amount: number;
  currency: string;
  customer: string | null;
  status: IntentStatus;
  client_secret: string;
  payment_method: string | null;
  payment_method_types: string[];
  latest_charge: string | null;
  last_payment_error: CardError | null;
  setup_future_usage: 'off_session' | null;
  next_action: { type: 'use_stripe_sdk' } | null;
  metadata: Metadata;
  created: number;
  livemode: false;
}
export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  currency: string;
  disputed: boolean;
  refunded: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: 'card'; card: Card };
  created: number;
}
export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  status: 'succeeded';
  payment_intent: string;
  charge: string;
  created: number;
}
export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  status: 'needs_response' | 'won' | 'lost';
  payment_intent: string;
  charge: string;
  created: number;
}
export type StripeObject = Customer | Method | Intent | Charge | Refund | Dispute;

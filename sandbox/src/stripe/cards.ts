/** The card numbers and what happens when they are charged. All other numbers are refused. */

interface Refusal {
  code: string;
  decline_code?: string;
  message: string;
}

export interface CardRule {
  brand: string;
  /** Refuses every charge. */
  refusal?: Refusal;
  /** Refuses charges without the customer, and charges of a saved card. */
  refusesLater?: Refusal;
  /** Requires the customer to confirm in the browser. */
  challenge?: boolean;
  /** Disputes the payment after it has succeeded. */
  disputed?: boolean;
  webhooks?: 'late' | 'twice' | 'reversed' | 'lost';
}

const declined = (decline_code: string): Refusal => ({
  code: 'card_declined',
  decline_code,
  message: 'Your card was declined.',
});

export const cardRules: Readonly<Record<string, CardRule & { effect: string }>> = {
  '4242424242424242': { brand: 'visa', effect: 'Succeeds' },
  '5555555555554444': { brand: 'mastercard', effect: 'Succeeds' },
  '4000000000000002': { brand: 'visa', effect: 'Is declined', refusal: declined('generic_decline') },
  '4000000000009995': {
    brand: 'visa',
    effect: 'Has insufficient funds',
    refusal: {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  '4000000000000069': {
    brand: 'visa',
    effect: 'Is expired',
    refusal: { code: 'expired_card', message: 'Your card has expired.' },
  },
  '4000000000000127': {
    brand: 'visa',
    effect: 'Has a wrong security code',
    refusal: { code: 'incorrect_cvc', message: 'Your card’s security code is incorrect.' },
  },
  '4000000000000119': {
    brand: 'visa',
    effect: 'Fails with a processing error',
    refusal: { code: 'processing_error', message: 'An error occurred while processing your card. Try again.' },
  },
  '4000000000000341': {
    brand: 'visa',
    effect: 'Can be saved, but later charges are declined',
    refusesLater: declined('generic_decline'),
  },
  '4000000000003220': { brand: 'visa', effect: 'Requires 3-D Secure', challenge: true },
  '4000008400001629': {
    brand: 'visa',
    effect: 'Requires 3-D Secure, then is declined',
    challenge: true,
    refusal: declined('generic_decline'),
  },
  '4000000000000259': { brand: 'visa', effect: 'Succeeds, then the payment is disputed', disputed: true },
  '4000000000007005': { brand: 'visa', effect: 'Succeeds; webhooks arrive late', webhooks: 'late' },
  '4000000000007013': { brand: 'visa', effect: 'Succeeds; webhooks arrive twice', webhooks: 'twice' },
  '4000000000007021': { brand: 'visa', effect: 'Succeeds; webhooks arrive in reverse order', webhooks: 'reversed' },
  '4000000000007039': { brand: 'visa', effect: 'Succeeds; webhooks are lost', webhooks: 'lost' },
};

export const cardList = () => Object.entries(cardRules).map(([number, { effect }]) => ({ number, effect }));

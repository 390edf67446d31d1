/** The cost of a request to the language model, and the tokens of texts if the API does not report them. */
import { ACTION_RULES, type AssistanceAction } from '@parley/contract/assistance/actions.ts';
import type { ProviderRow } from './queries.ts';

type Prices = Pick<ProviderRow, 'input_price_micros' | 'output_price_micros'>;

const ANSWER_TOKENS = 600;
const MAX_TOKENS = 4_000;

export const priceTokens = (prices: Prices, input: number, output: number): number =>
  Math.ceil((input * prices.input_price_micros + output * prices.output_price_micros) / 1_000);

/** About four bytes are one token in most languages. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** The most tokens that the model may return. A rewritten text is about as long as the original. */
export function outputLimit(action: AssistanceAction, user: string): number {
  const { needs_text, needs_language } = ACTION_RULES[action];
  if (!needs_text && !needs_language) return ANSWER_TOKENS;
  return Math.min(MAX_TOKENS, 200 + 3 * countTokens(user));
}

/** The most that a request can cost. Few languages need more than one token for two bytes. */
export const highestCost = (prices: Prices, text: string, max_tokens: number): number =>
  priceTokens(prices, Math.ceil(Buffer.byteLength(text) / 2), max_tokens);

/** How certain the prices of a forecast are. */
import { PRICE_CERTAINTIES, type PriceCertainty } from '@parley/contract/campaigns/rehearsals.ts';
import type { PriceBook } from '../../billing/billing.ts';
import type { KnownNetworks, Passed } from '../../messages/messages.ts';
import type { Reachability } from '../model/lookups.ts';

interface Outline {
  account_id: string;
  channel: string;
  currency: string;
  steps: readonly unknown[];
}

export type CertaintyJudge = (person: Passed, known: Pick<Reachability<unknown>, 'isOpen'>) => PriceCertainty;

/** `networks` has the networks that lookups of the account found for the people. */
export function createCertaintyJudge(
  { account_id, channel, currency, steps }: Outline,
  prices: PriceBook,
  networks: KnownNetworks,
): CertaintyJudge {
  return ({ number, country }, known) => {
    // The hold covers the most expensive channel, and the channel that delivers decides the price.
    if (steps.length > 0) return 'maximum';
    if (!prices.variesByNetwork(account_id, channel, country, currency)) return 'certain';
    if (known.isOpen(number)) return 'lookup';
    return networks.has(number) ? 'certain' : 'number_range';
  };
}

/** The later of both in PRICE_CERTAINTIES, which begins with the most certain. */
export const lessCertain = (a: PriceCertainty, b: PriceCertainty): PriceCertainty =>
  PRICE_CERTAINTIES.indexOf(a) >= PRICE_CERTAINTIES.indexOf(b) ? a : b;

/** The free fallback without a provider: the numbering plan knows the format, the type, and the original network. */
import { parseNumber } from '../../audiences/audiences.ts';
import type { PriceBook } from '../../billing/billing.ts';
import { type LookupResult, unknownResult } from './provider.ts';

export const NUMBERING_PLAN = 'numbering_plan';

const LINE_TYPES: Readonly<Record<string, LookupResult['line_type']>> = {
  MOBILE: 'mobile',
  // In North America, mobile numbers and landlines share their prefixes.
  FIXED_LINE_OR_MOBILE: null,
  FIXED_LINE: 'landline',
  VOIP: 'voip',
  TOLL_FREE: 'toll_free',
};

export function planResult(number: string, prices: Pick<PriceBook, 'network' | 'networkName'>): LookupResult {
  const parsed = parseNumber(`+${number}`);
  if (!parsed) return { ...unknownResult(number), status: 'bad' };
  const mccmnc = prices.network(number);
  const line_type = LINE_TYPES[parsed.type] === undefined ? 'other' : LINE_TYPES[parsed.type]!;
  return {
    ...unknownResult(number),
    status: line_type === 'landline' || line_type === 'toll_free' ? 'landline' : 'good',
    network: prices.networkName(mccmnc),
    line_type,
    mccmnc,
  };
}

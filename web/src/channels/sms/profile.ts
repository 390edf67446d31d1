/** The rules that divide texts into segments for a recipient, so that the counter agrees with the price. */
import { ASSUMED_PROFILE } from '@parley/contract/channels/sms/profile.ts';
import { getSegmentation, type Segmentation } from '@parley/contract/messages/segmentation.ts';
import { useEndpoint } from '../../kernel/http/query.ts';

const STALE_MS = 60_000;
const UNKNOWN: Segmentation = {
  ...ASSUMED_PROFILE,
  assumed: false,
  link_prefix: 'https://example.com',
  segment_price_micros: null,
  currency: 'USD',
};

/**
 * `to` is one recipient's number. Without it, the profile applies to all connections, or is assumed if they differ. The
 * default profile applies until the response arrives.
 */
export function useSegmentation(to?: string, isCounted = true): Segmentation {
  const digits = to?.replace(/[^+\d]/g, '');
  const query = useEndpoint(
    getSegmentation,
    { query: digits ? { to: digits } : {} },
    { staleTime: STALE_MS, enabled: isCounted },
  );
  return query.data?.data ?? UNKNOWN;
}

/** Explains the counter if connections divide texts differently. */
export const ASSUMPTION = 'The number of segments depends on the recipient’s carrier. The counter assumes GSM-7.';

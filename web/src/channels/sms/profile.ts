/** How texts are divided into segments for a recipient, so that the counter agrees with the price. */
import { ASSUMED_PROFILE } from '@parley/contract/channels/sms/profile.ts';
import { getSegmentation, type Segmentation } from '@parley/contract/messages/segmentation.ts';
import { useEndpoint } from '../../kernel/http/query.ts';

const STALE_MS = 60_000;
const UNKNOWN: Segmentation = { ...ASSUMED_PROFILE, assumed: false };

/**
 * `to` is one recipient's number. Without it, the profile is that of all connections, or an assumption if they differ.
 * Until the response arrives, the counter shows the usual profile.
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

/** The assumption of the counter, for the case that connections divide texts differently. */
export const ASSUMPTION = 'The carrier of each recipient decides the number of segments. The counter assumes GSM-7.';

import type { StopListEntry } from '@parley/contract/stop_list.ts';

/** Why a number is on the stop list, in words. */
export const REASON_WORDS: Record<StopListEntry['reason'], string> = {
  keyword: 'They asked for it',
  manual: 'Added by hand',
  api: 'Added through the API',
  operator: 'Added by the operator',
  carrier: 'Reported by the carrier',
};

/** Why a campaign paused or ended. In a file of its own, because the dashboard needs it. */
import { CAMPAIGN_REASONS, type Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { formatNumber } from '../ui/data/format.ts';

const TRIPPED = { failures: 'failed', opt_outs: 'opt_outs', complaints: 'complaints' } as const;

/** Why the campaign paused or ended, with the figures if a limit paused it. */
export function statusReason({ status_details, safeguards }: Campaign): string | null {
  if (!status_details) return null;
  const reason = CAMPAIGN_REASONS[status_details];
  const { tripped } = safeguards;
  if (!tripped || !(status_details in TRIPPED)) return reason;
  const count = tripped[TRIPPED[status_details as keyof typeof TRIPPED]];
  return reason.replace('.', ` (${formatNumber(count)} of ${formatNumber(tripped.results)}).`);
}

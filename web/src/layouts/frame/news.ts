/** Which events become notices in the bell: what was started and has come to its end, whoever started it and whatever page is open. */
import { importProgressed } from '@parley/contract/audiences/imports.ts';
import { campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import { onLive } from '../../kernel/live/live.ts';
import { addNotice } from '../../kernel/notices.ts';
import { formatCount } from '../../ui/data/format.ts';
import { statusStyle } from '../../ui/data/status.ts';

const ENDED_CAMPAIGN: ReadonlySet<string> = new Set(['completed', 'failed', 'error']);
const ENDED_IMPORT: ReadonlySet<string> = new Set(['completed', 'failed']);

/** Returns the way out. */
export function hearNews(): () => void {
  const leave = [
    onLive(campaignUpdated, (campaign) => {
      if (!ENDED_CAMPAIGN.has(campaign.status)) return;
      const { label, tone } = statusStyle(campaign.status);
      addNotice({
        id: `campaign.${campaign.id}`,
        title: campaign.name,
        text: `Campaign: ${label.toLowerCase()}`,
        tone,
        path: '/sms/my-campaigns',
      });
    }),
    onLive(importProgressed, (found) => {
      if (!ENDED_IMPORT.has(found.status)) return;
      const stored = found.created_count + found.updated_count;
      addNotice({
        id: `import.${found.id}`,
        title: found.audience_name,
        text:
          found.status === 'completed'
            ? `Import completed: ${formatCount(stored, 'contact')}`
            : `Import failed: ${found.error_message ?? found.filename}`,
        tone: found.status === 'completed' ? 'ok' : 'fail',
        path: `/contacts/imports/${found.id}`,
      });
    }),
  ];
  return () => {
    for (const off of leave) off();
  };
}

/** Notifications about campaigns that wait for the user's approval, and about decisions on the user's campaigns. */
import { type Campaign, campaignCreated, campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import { onLive } from '../kernel/live/live.ts';
import { addNotice } from '../kernel/notices.ts';
import { campaignPath } from '../paths.ts';

/** `canApprove` is false if the user may not edit campaigns. */
export function collectApprovalNotices(user_id: string, canApprove: boolean): () => void {
  const reported = new Set<string>();
  const report = (campaign: Campaign) => {
    const { approval } = campaign;
    if (!approval || approval.status === 'withdrawn') return;
    const { status, submitter_ids, reason } = approval;
    const id = `approval.${approval.id}.${status}`;
    const isOwn = submitter_ids.includes(user_id);
    if (reported.has(id) || (status === 'requested' ? isOwn || !canApprove : !isOwn)) return;
    reported.add(id);
    const texts = { requested: 'Waits for your approval', approved: 'Approved', declined: `Declined: ${reason}` };
    const tones = { requested: 'wait', approved: 'ok', declined: 'fail' } as const;
    addNotice({ id, title: campaign.name, text: texts[status], tone: tones[status], path: campaignPath(campaign) });
  };
  const stops = [onLive(campaignCreated, report), onLive(campaignUpdated, report)];
  return () => {
    for (const stop of stops) stop();
  };
}

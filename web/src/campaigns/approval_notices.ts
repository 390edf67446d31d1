/** Notifications about campaigns awaiting the user's approval, and about decisions on the user's campaigns. */
import type { User } from '@parley/contract/accounts/accounts.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { permits } from '@parley/contract/permission.ts';
import { addNotice } from '../kernel/notices.ts';
import { campaignPath } from '../paths.ts';

const reported = new Set<string>();
const TEXTS = { requested: 'Waiting for your approval', approved: 'Approved' };
const TONES = { requested: 'wait', approved: 'ok', declined: 'fail' } as const;

/** Adds a notification for each request and each decision, once. */
export function reportApproval(
  campaign: Campaign,
  { id: user_id, permissions }: Pick<User, 'id' | 'permissions'>,
): void {
  const { approval } = campaign;
  if (!approval || approval.status === 'withdrawn') return;
  const { status, submitter_ids, reason } = approval;
  const id = `approval.${user_id}.${approval.id}.${status}`;
  const isOwn = submitter_ids.includes(user_id);
  const isMine = status === 'requested' ? !isOwn && permits(permissions, 'CAMPAIGNS:edit') : isOwn;
  if (!isMine || reported.has(id)) return;
  reported.add(id);
  const text = status === 'declined' ? `Declined: ${reason}` : TEXTS[status];
  addNotice({ id, title: campaign.name, text, tone: TONES[status], path: campaignPath(campaign) });
}

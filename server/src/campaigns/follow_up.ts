/** Drafts a campaign to the recipients of an earlier one who got the message but neither replied nor opted out. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createAudienceFrom } from '../audiences/audiences.ts';
import type { Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { createCampaign } from './campaigns.ts';
import { chooseNameLike } from './draft/name.ts';
import { requireCampaignSender } from './draft/sender.ts';
import { lockCampaign } from './model/queries.ts';
import type { CampaignRow } from './model/row.ts';
import { readRecipients } from './progress/recipient_audience.ts';
import { recipientConditions } from './progress/recipients.ts';
import { REACHED } from './progress/responses.ts';

/** Room for " (follow-up)" and a number in a name of 45 characters. */
const MAX_NAME = 28;

export async function draftFollowUp(tx: Tx, kernel: Kernel, actor: Actor, id: string): Promise<Campaign> {
  const { account_id } = actor;
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  if (!row.start_date || row.status === 'in_progress') throw new Problem('CAMPAIGN_STATE_INVALID');
  const name = `${row.name.slice(0, MAX_NAME).toWellFormed().trim()} (follow-up)`;
  const silent = recipientConditions({ account_id, id, statuses: REACHED, response: 'none' }, row, tx.now);
  const audience = await createAudienceFrom(
    tx,
    { account_id, name, channel: row.channel },
    readRecipients(tx, row, silent),
  );
  if (!audience)
    throw new Problem('CAMPAIGN_AUDIENCE_EMPTY', { message: 'Every recipient who got the message has responded' });
  return createCampaign(tx, kernel, actor, {
    name: await chooseNameLike(tx, account_id, name),
    channel: row.channel,
    from: await findApprovedSender(tx, row),
    audience: audience.id,
    start: false,
  });
}

/** The sender of the earlier campaign, or null if it may no longer be used. */
async function findApprovedSender(tx: Tx, { account_id, channel, sender_id }: CampaignRow): Promise<string | null> {
  if (!sender_id) return null;
  try {
    return (await requireCampaignSender(tx, account_id, channel, sender_id)).id;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

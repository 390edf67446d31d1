import type { ChannelName } from '@parley/contract/channels/names.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { resolveSender } from '../../senders/senders.ts';

/** Like `resolveSender`, but throws CAMPAIGN_SENDER_INVALID if the sender is invalid or missing. */
export async function requireCampaignSender(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string,
): Promise<Sender> {
  try {
    return await resolveSender(db, account_id, channel, from);
  } catch (error) {
    if (
      error instanceof Problem &&
      (error.name === 'MESSAGE_SENDER_INVALID' || error.name === 'MESSAGE_SENDER_NOT_FOUND')
    )
      throw new Problem('CAMPAIGN_SENDER_INVALID');
    throw error;
  }
}

/** Emits a campaign's current state in the transaction that changed it. */
import { type Campaign, campaignProgressed, campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { findCampaign } from './queries.ts';
import { type CampaignRow, toCampaign } from './row.ts';

/** `moved` means that only the counts changed. `changed` means that the status or fields changed. */
export async function announce(
  tx: Tx,
  account_id: string,
  id: string,
  how: 'changed' | 'moved' = 'changed',
): Promise<Campaign> {
  const campaign = toCampaign(await reread(tx, account_id, id));
  emit(tx, how === 'moved' ? campaignProgressed : campaignUpdated, account_id, campaign);
  return campaign;
}

export async function reread(tx: Tx, account_id: string, id: string): Promise<CampaignRow> {
  const row = await findCampaign(tx, account_id, id);
  if (!row) throw new Error(`campaign ${id} vanished inside a transaction`);
  return row;
}

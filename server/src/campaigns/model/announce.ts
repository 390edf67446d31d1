/** Tells the world what a campaign has become in this transaction. */
import { type Campaign, campaignProgressed, campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { campaignById } from './queries.ts';
import { type CampaignRow, toCampaign } from './row.ts';

/** `moved`: figures only; otherwise somebody or something changed its state or fields. */
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
  const row = await campaignById(tx, account_id, id);
  if (!row) throw new Error(`campaign ${id} vanished inside a transaction`);
  return row;
}

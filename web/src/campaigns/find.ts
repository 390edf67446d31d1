import { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import type { Jump } from '../kernel/commands.ts';
import { call } from '../kernel/http/client.ts';
import { campaignPath } from '../paths.ts';

export async function findCampaigns(text: string, signal: AbortSignal): Promise<Jump[]> {
  const { data } = await call(listCampaigns, { query: { filter: { search: text } } }, { signal });
  return data.map((campaign) => ({
    id: campaign.id,
    label: campaign.name,
    kind: 'Campaign',
    path: campaignPath(campaign),
  }));
}

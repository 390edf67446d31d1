/**
 * A running campaign speaks once a second, in full. Its figures are put where they are shown instead of being asked for again; the list of its
 * recipients, which is dear, follows every few seconds.
 */
import {
  type Campaign,
  campaignProgressed,
  getCampaign,
  listCampaigns,
  listRecipients,
} from '@parley/contract/campaigns.ts';
import type { QueryClient } from '@tanstack/react-query';
import { onLive, patchesCache } from '../kernel/live.ts';
import { queryClient, queryKey } from '../kernel/query.ts';

const RECIPIENTS_EVERY_MS = 3_000;

interface One {
  data: Campaign;
}
interface Many {
  data: Campaign[];
}

export function applyProgress(client: QueryClient, campaign: Campaign): void {
  client.setQueryData<One>(queryKey(getCampaign, { params: { id: campaign.id } }), (old) =>
    old ? { ...old, data: campaign } : old,
  );
  client.setQueriesData<Many>({ queryKey: ['campaigns', listCampaigns.id] }, (old) =>
    old?.data.some((one) => one.id === campaign.id)
      ? { ...old, data: old.data.map((one) => (one.id === campaign.id ? campaign : one)) }
      : old,
  );
}

patchesCache(campaignProgressed);
let waiting = false;
onLive(campaignProgressed, (campaign) => {
  applyProgress(queryClient, campaign);
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    void queryClient.invalidateQueries({ queryKey: ['campaign_recipients', listRecipients.id] });
  }, RECIPIENTS_EVERY_MS);
});

/**
 * Live updates of running campaigns. Each event carries the whole campaign, about once per second, and is written into
 * the cache. The recipients are expensive to load, so they are refetched every few seconds.
 */
import { type Campaign, campaignProgressed, getCampaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { listRecipients } from '@parley/contract/campaigns/recipients.ts';
import type { QueryClient } from '@tanstack/react-query';
import { queryClient, queryKey } from '../kernel/http/query.ts';
import { onLive, patchesCache } from '../kernel/live/live.ts';

const RECIPIENTS_EVERY_MS = 3_000;
const RESULTS_EVERY_MS = 8_000;

interface OneCampaign {
  data: Campaign;
}
interface CampaignPage {
  data: Campaign[];
}

export function applyProgress(client: QueryClient, campaign: Campaign): void {
  client.setQueryData<OneCampaign>(queryKey(getCampaign, { params: { id: campaign.id } }), (old) =>
    old ? { ...old, data: campaign } : old,
  );
  client.setQueriesData<CampaignPage>({ queryKey: ['campaigns', listCampaigns.id] }, (old) =>
    old?.data.some((row) => row.id === campaign.id)
      ? { ...old, data: old.data.map((row) => (row.id === campaign.id ? campaign : row)) }
      : old,
  );
}

patchesCache(campaignProgressed);
let pause: ReturnType<typeof setTimeout> | undefined;
let isStale = false;
/**
 * Refetches the recipients at most once every few seconds while the campaign runs. At the end, refetches them
 * immediately, so that the rows match the totals.
 */
export function followRecipients(client: QueryClient, { counts, status }: Campaign): void {
  const ended = status !== 'in_progress' || counts.enroute + counts.sent + counts.waiting === 0;
  isStale = true;
  if (pause && !ended) return;
  clearTimeout(pause);
  const refetch = () => {
    pause = undefined;
    if (!isStale) return;
    isStale = false;
    void client.invalidateQueries({ queryKey: ['campaign_recipients', listRecipients.id] });
    pause = setTimeout(refetch, RECIPIENTS_EVERY_MS);
  };
  refetch();
}
let resultsPause: ReturnType<typeof setTimeout> | undefined;
let areResultsStale = false;
/** Refetches the results over time. Counting them reads the whole campaign, so this is done less often. */
function followResults(client: QueryClient): void {
  areResultsStale = true;
  if (resultsPause) return;
  const refetch = () => {
    resultsPause = undefined;
    if (!areResultsStale) return;
    areResultsStale = false;
    void client.invalidateQueries({ queryKey: ['campaign_results'] });
    resultsPause = setTimeout(refetch, RESULTS_EVERY_MS);
  };
  refetch();
}
onLive(campaignProgressed, (campaign) => {
  applyProgress(queryClient, campaign);
  followRecipients(queryClient, campaign);
  followResults(queryClient);
});

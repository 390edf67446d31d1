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
} from '@parley/contract/campaigns/campaigns.ts';
import type { QueryClient } from '@tanstack/react-query';
import { queryClient, queryKey } from '../kernel/http/query.ts';
import { onLive, patchesCache } from '../kernel/live/live.ts';

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
let resting: ReturnType<typeof setTimeout> | undefined;
let again = false;
/** At once after a quiet time and at the end, so that the rows never say less than the figures above them; else every few seconds. */
export function followRecipients(client: QueryClient, { counts, status }: Campaign): void {
  const ended = status !== 'in_progress' || counts.enroute + counts.sent + counts.waiting === 0;
  again = true;
  if (resting && !ended) return;
  clearTimeout(resting);
  const ask = () => {
    resting = undefined;
    if (!again) return;
    again = false;
    void client.invalidateQueries({ queryKey: ['campaign_recipients', listRecipients.id] });
    resting = setTimeout(ask, RECIPIENTS_EVERY_MS);
  };
  ask();
}
onLive(campaignProgressed, (campaign) => {
  applyProgress(queryClient, campaign);
  followRecipients(queryClient, campaign);
});

/** The data of the wizard: senders and audiences to select from, preview figures, and sample recipients. */

import { useDebouncedValue } from '@mantine/hooks';
import { type Audience, getAudience, listAudiences } from '@parley/contract/audiences/audiences.ts';
import {
  type CampaignPreview,
  previewCampaign,
  type Sample,
  sampleCampaign,
} from '@parley/contract/campaigns/previews.ts';
import { newTrigger } from '@parley/contract/campaigns/triggers.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { listSenders, type Sender } from '@parley/contract/senders/senders.ts';
import { useMemo } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { isComplete } from './automation/automation.ts';
import { audienceRequest, contentRequest, sessionRequest } from './content/content.ts';
import { completeFallbacks } from './content/fallbacks.ts';
import { type Draft, timingRequest, triggerRequest } from './draft.ts';

export interface SenderChoice {
  /** The senders that can send; undefined while they load. */
  senders: Sender[] | undefined;
  failure: Failure | null;
}

export interface Failure {
  error: ApiError;
  retry: () => void;
}

const toFailure = (result: { error: ApiError | null; refetch: () => unknown }): Failure | null =>
  result.error && { error: result.error, retry: () => void result.refetch() };

export function useSenders(channel: ChannelName): SenderChoice {
  const query = { page_size: 300, filter: { channel, statuses: 'approved,available' } };
  const result = useEndpoint(listSenders, { query }, { staleTime: 60_000 });
  // Pool members are used only through their pool.
  const listed = result.data?.data;
  const senders = useMemo(() => listed?.filter(({ id, pool_id }) => pool_id === null || pool_id === id), [listed]);
  return { senders, failure: toFailure(result) };
}

export interface AudienceChoice {
  audiences: Audience[] | undefined;
  selected: Audience | undefined;
  /** True if the selected audience no longer exists. */
  isDeleted: boolean;
  /** Why the user cannot view audiences. */
  reason: string | null;
  failure: Failure | null;
}

/** The newest audiences or those that match the search, always including the selected audience. */
export function useAudiences(channel: ChannelName, search: string, id: string | null): AudienceChoice {
  const reason = useReason(listAudiences.needs);
  const [typed] = useDebouncedValue(search.trim(), 250);
  const query = { page_size: 100, filter: { channel, ...(typed ? { search: typed } : {}) } };
  const list = useEndpoint(listAudiences, { query }, { enabled: reason === null, keepPrevious: true });
  const audiences = list.data?.data;
  const listed = audiences?.find((audience) => audience.id === id);
  const single = useEndpoint(
    getAudience,
    { params: { id: id ?? '' } },
    { enabled: reason === null && id !== null && audiences !== undefined && !listed },
  );
  const isDeleted = id !== null && !listed && (single.error?.status === 404 || single.error?.status === 400);
  return {
    audiences,
    selected: listed ?? (id && !isDeleted ? single.data?.data : undefined),
    isDeleted,
    reason,
    failure: toFailure(list),
  };
}

export interface PreviewState {
  preview: CampaignPreview | undefined;
  /** True while the figures are loading or belong to an earlier selection. */
  counting: boolean;
  error: ApiError | null;
  retry: () => void;
}

const REFRESH_MS = 20_000;

/** The request of a preview, without a time. */
export const previewRequest = (channel: ChannelName, draft: Draft) => ({
  channel,
  from: draft.sender_id,
  ...audienceRequest(draft),
  ...contentRequest(channel, draft),
  ...sessionRequest(channel, draft),
  fallbacks: completeFallbacks(channel, draft),
  validity_seconds: draft.validity_seconds,
  countries: draft.countries.length > 0 ? draft.countries : null,
  timing: timingRequest(draft),
  lookup: draft.safety.lookup,
  lookup_countries: draft.safety.lookup_countries,
});

/** Recipients and cost of the current draft. Refreshed regularly, because the balance and the stop list can change. */
export function usePreview(
  channel: ChannelName,
  draft: Draft,
  schedule: string | null,
  enabled: boolean,
): PreviewState {
  // Until the trigger is complete, the preview is that of another automation, not that of a campaign that starts now.
  const shown = isComplete(draft.trigger) ? draft.trigger : newTrigger('joined');
  const trigger = triggerRequest({ ...draft, trigger: shown });
  const body = { ...previewRequest(channel, draft), schedule, trigger };
  const result = useEndpoint(
    previewCampaign,
    { body },
    { enabled, keepPrevious: true, staleTime: 0, refetchInterval: REFRESH_MS },
  );
  return {
    preview: result.data?.data,
    counting: result.isPending || result.isPlaceholderData,
    error: result.error,
    retry: () => void result.refetch(),
  };
}

const PAGE = 20;

export interface SampleState {
  sample: Sample | undefined;
  total: number;
}

/** The recipient at this position of the audience. */
export function useSample(channel: ChannelName, draft: Draft, index: number): SampleState {
  const canSample = useReason(sampleCampaign.needs) === null;
  const offset = Math.floor(index / PAGE) * PAGE;
  // A text is filled in the browser while the user types. Everything else is written by the server.
  const [content] = useDebouncedValue(channelRules(channel).rich ? contentRequest(channel, draft) : {}, 400);
  const body = { audience: draft.audience_id ?? '', from: draft.sender_id, ...content, offset, size: PAGE };
  const result = useEndpoint(
    sampleCampaign,
    { body },
    { enabled: canSample && draft.audience_id !== null, keepPrevious: true, staleTime: 60_000 },
  );
  const data = draft.audience_id === null ? undefined : result.data?.data;
  return {
    sample: result.isPlaceholderData ? data?.samples[0] : data?.samples[index - offset],
    total: data?.total ?? 0,
  };
}

/** What the wizard lets people choose from, and the sums it shows. */

import { useDebouncedValue } from '@mantine/hooks';
import { type Audience, getAudience, listAudiences } from '@parley/contract/audiences/audiences.ts';
import {
  type CampaignPreview,
  previewCampaign,
  type Sample,
  sampleCampaign,
} from '@parley/contract/campaigns/previews.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { listSenders, type Sender } from '@parley/contract/senders/senders.ts';
import { useMemo } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import type { Draft } from './draft.ts';

export interface SenderChoice {
  /** Those that may send; undefined while they are asked for. */
  senders: Sender[] | undefined;
  failed: Failure | null;
}

export interface Failure {
  error: ApiError;
  retry: () => void;
}

const failureOf = (answer: { error: ApiError | null; refetch: () => unknown }): Failure | null =>
  answer.error && { error: answer.error, retry: () => void answer.refetch() };

export function useSenders(channel: ChannelName): SenderChoice {
  const query = { page_size: 300, filter: { channel, statuses: 'approved,available' } };
  const answer = useEndpoint(listSenders, { query }, { staleTime: 60_000 });
  // What stands behind another is only used through it.
  const listed = answer.data?.data;
  const senders = useMemo(() => listed?.filter(({ id, pool_id }) => pool_id === null || pool_id === id), [listed]);
  return { senders, failed: failureOf(answer) };
}

export interface AudienceChoice {
  audiences: Audience[] | undefined;
  chosen: Audience | undefined;
  /** The one that was chosen is not there any more. */
  gone: boolean;
  /** Why audiences cannot be seen. */
  reason: string | null;
  failed: Failure | null;
}

/** The newest, or those found by name; the chosen one also when it is among neither. */
export function useAudiences(channel: ChannelName, search: string, id: string | null): AudienceChoice {
  const reason = useReason(listAudiences.needs);
  const [typed] = useDebouncedValue(search.trim(), 250);
  const query = { page_size: 100, filter: { channel, ...(typed ? { search: typed } : {}) } };
  const list = useEndpoint(listAudiences, { query }, { enabled: reason === null, keepPrevious: true });
  const audiences = list.data?.data;
  const listed = audiences?.find((audience) => audience.id === id);
  const asked = useEndpoint(
    getAudience,
    { params: { id: id ?? '' } },
    { enabled: reason === null && id !== null && audiences !== undefined && !listed },
  );
  const gone = id !== null && !listed && (asked.error?.status === 404 || asked.error?.status === 400);
  return {
    audiences,
    chosen: listed ?? (id && !gone ? asked.data?.data : undefined),
    gone,
    reason,
    failed: failureOf(list),
  };
}

export interface PreviewState {
  preview: CampaignPreview | undefined;
  /** The figures are of an earlier choice, or not there yet. */
  counting: boolean;
  error: ApiError | null;
  retry: () => void;
}

const AGAIN_MS = 20_000;

/** What it would do as it stands now; asked again now and then, since balance and stop list move. */
export function usePreview(
  channel: ChannelName,
  draft: Draft,
  schedule: string | null,
  enabled: boolean,
): PreviewState {
  const body = {
    channel,
    from: draft.sender_id,
    audience: draft.audience_id,
    text: draft.text,
    schedule,
  };
  const answer = useEndpoint(
    previewCampaign,
    { body },
    { enabled, keepPrevious: true, staleTime: 0, refetchInterval: AGAIN_MS },
  );
  return {
    preview: answer.data?.data,
    counting: answer.isPending || answer.isPlaceholderData,
    error: answer.error,
    retry: () => void answer.refetch(),
  };
}

const PAGE = 20;

export interface SampleState {
  sample: Sample | undefined;
  total: number;
}

/** One person of the audience, by place. */
export function useSample(draft: Draft, index: number): SampleState {
  const may = useReason(sampleCampaign.needs) === null;
  const offset = Math.floor(index / PAGE) * PAGE;
  const body = { audience: draft.audience_id ?? '', from: draft.sender_id, offset, size: PAGE };
  const answer = useEndpoint(
    sampleCampaign,
    { body },
    { enabled: may && draft.audience_id !== null, keepPrevious: true, staleTime: 60_000 },
  );
  const data = draft.audience_id === null ? undefined : answer.data?.data;
  return {
    sample: answer.isPlaceholderData ? data?.samples[0] : data?.samples[index - offset],
    total: data?.total ?? 0,
  };
}

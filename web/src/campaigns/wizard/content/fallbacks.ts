/** The fallback channels of a campaign in the wizard. */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { replaceTags } from '@parley/contract/channels/sms/text.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { findPlaceholders } from '@parley/contract/templates/placeholders.ts';
import { useMemo } from 'react';
import {
  type MessageContent,
  type SenderOptions,
  stepFindings,
  toFallbacks,
} from '../../../channels/fallbacks/fallback_steps.ts';
import { useEndpoint } from '../../../kernel/http/query.ts';
import { parsePhone } from '../../../ui/data/phone.ts';
import type { Draft } from '../draft.ts';
import { usesTemplate } from './content.ts';

/** The text that a fallback repeats. A template's variables are replaced by their values in the campaign. */
export function sharedContent(channel: ChannelName, draft: Draft): MessageContent {
  if (!usesTemplate(channel, draft)) return { text: draft.text };
  const { variables } = draft.content;
  const inHeader = Math.max(0, variables.length - findPlaceholders(draft.text).length);
  return { text: replaceTags(draft.text, ({ tag }, at) => variables[inHeader + at]?.trim() || tag) };
}

/** The `fallbacks` field of a request. */
export const fallbackRequest = (channel: ChannelName, draft: Draft) =>
  toFallbacks(draft.fallbacks, sharedContent(channel, draft));

/** The problems of the fallbacks, by the API's field names. */
export const fallbackFindings = (channel: ChannelName, draft: Draft) =>
  stepFindings(channel, draft.fallbacks, sharedContent(channel, draft), draft.validity_seconds);

/** The fallbacks for a preview, which ignores them while they are incomplete. */
export const completeFallbacks = (channel: ChannelName, draft: Draft) =>
  fallbackFindings(channel, draft).length > 0 ? [] : fallbackRequest(channel, draft);

/** The senders of all channels that campaigns can use. */
export function useSenderOptions(): Readonly<Record<ChannelName, SenderOptions>> {
  const query = { page_size: 300, filter: { statuses: 'approved,available' } };
  const { data, isPending } = useEndpoint(listSenders, { query }, { staleTime: 60_000 });
  const rows = data?.data;
  return useMemo(() => {
    const toOptions = (channel: ChannelName, label: string): SenderOptions => ({
      senders: (rows ?? [])
        .filter((sender) => sender.channel === channel && (sender.pool_id === null || sender.pool_id === sender.id))
        .map(({ id, name, code }) => ({ value: id, label: name === code ? parsePhone(code).text : name, code })),
      shared: [],
      reason: `You have no approved ${label} sender yet.`,
      loading: isPending,
    });
    return Object.fromEntries(ALL_CHANNELS.map(({ name, label }) => [name, toOptions(name, label)])) as Record<
      ChannelName,
      SenderOptions
    >;
  }, [rows, isPending]);
}

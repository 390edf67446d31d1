/** The senders for tests, by channel. */
import { ALL_CHANNELS, channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { SenderOptions } from '../channels/fallbacks/fallback_steps.ts';
import { type ApiError, type ApiResponse, call } from '../kernel/http/client.ts';
import { queryKey } from '../kernel/http/query.ts';
import { senderLabel } from '../senders/SenderSelect.tsx';

export const testSenderLabel = ({ name, code, lent }: { name: string; code: string; lent: boolean }): string =>
  lent ? `${senderLabel({ name: code, code })} (shared test sender)` : senderLabel({ name, code });

type Query = UseQueryResult<ApiResponse<typeof getTryItNow>, ApiError>;

function toOptions(channel: ChannelName, query: Query): SenderOptions {
  const state = query.data?.data;
  const senders = state?.senders ?? [];
  return {
    senders: senders.map((sender) => ({ value: sender.id, label: testSenderLabel(sender), code: sender.code })),
    shared: senders.filter(({ lent }) => lent).map(({ id }) => id),
    reason: state ? `No ${channelRules(channel).label} sender is available yet.` : (query.error?.message ?? null),
    loading: query.isPending,
  };
}

export function useSenderOptions(): Readonly<Record<ChannelName, SenderOptions>> {
  const queries = useQueries({
    queries: ALL_CHANNELS.map(({ name }) => {
      const input = { params: { channel: name } };
      return {
        queryKey: queryKey(getTryItNow, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(getTryItNow, input, { signal }),
        staleTime: 30_000,
      };
    }),
  });
  const entries = ALL_CHANNELS.map(({ name }, at) => [name, toOptions(name, queries[at] as Query)]);
  return Object.fromEntries(entries) as Record<ChannelName, SenderOptions>;
}

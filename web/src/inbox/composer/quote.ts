/** The message that the next reply quotes. It stays in this tab until the reply is sent. */
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

export type Quote = Pick<ConversationMessage, 'id' | 'text' | 'file_name'>;

export const quoteText = ({ text, file_name }: Pick<Quote, 'text' | 'file_name'>): string =>
  text || (file_name ?? 'File');

export function useQuote(conversation_id: string): [Quote | null, (quote: Quote | null) => void] {
  const client = useQueryClient();
  const { data = null } = useQuery<Quote | null>({
    queryKey: ['reply_quote', conversation_id],
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const setQuote = useCallback(
    (quote: Quote | null) => {
      client.setQueryData<Quote | null>(['reply_quote', conversation_id], quote);
    },
    [client, conversation_id],
  );
  return [data, setQuote];
}

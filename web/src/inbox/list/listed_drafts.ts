import { type ListedDraft, listDrafts } from '@parley/contract/inbox/drafts.ts';
import { useMemo } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';

/** The user's drafts, by conversation. */
export function useListedDrafts(): ReadonlyMap<string, ListedDraft> {
  const { data } = useEndpoint(listDrafts);
  return useMemo(() => new Map((data?.data ?? []).map((draft) => [draft.conversation_id, draft])), [data]);
}

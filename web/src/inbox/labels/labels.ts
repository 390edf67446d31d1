/** The account's labels, and those of a conversation. */
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { type Label, listLabels } from '@parley/contract/inbox/labels.ts';
import { useMemo } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';

const NONE: Label[] = [];

export const useLabels = (): Label[] => useEndpoint(listLabels).data?.data ?? NONE;

/** The labels with these IDs, in the order of their names. */
export function useConversationLabels({ label_ids }: Pick<Conversation, 'label_ids'>): Label[] {
  const labels = useLabels();
  return useMemo(
    () => (label_ids.length === 0 ? NONE : labels.filter(({ id }) => label_ids.includes(id))),
    [labels, label_ids],
  );
}

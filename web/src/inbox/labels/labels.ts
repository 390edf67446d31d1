/** The labels of the account, and the actions that change those of a conversation. */
import { type Conversation, getConversation } from '@parley/contract/inbox/inbox.ts';
import {
  addConversationLabel,
  type Label,
  listLabels,
  removeConversationLabel,
} from '@parley/contract/inbox/labels.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../kernel/http/client.ts';
import { queryKey, toastError, useEndpoint } from '../../kernel/http/query.ts';

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

/** Returns the function that adds a label to a conversation or removes it, and shows the change at once. */
export function useToggleLabel(): (conversation_id: string, label_id: string, on: boolean) => Promise<void> {
  const client = useQueryClient();
  return async (id, label_id, on) => {
    const key = queryKey(getConversation, { params: { id } });
    client.setQueryData<{ data: Conversation }>(
      key,
      (old) =>
        old && {
          ...old,
          data: {
            ...old.data,
            label_ids: [...old.data.label_ids.filter((one) => one !== label_id), ...(on ? [label_id] : [])],
          },
        },
    );
    try {
      await call(on ? addConversationLabel : removeConversationLabel, { params: { id, label_id } });
    } catch (error) {
      toastError(error);
    } finally {
      await client.invalidateQueries({ queryKey: ['conversations'] });
    }
  };
}

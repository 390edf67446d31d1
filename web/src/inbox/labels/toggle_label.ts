import { type Conversation, getConversation } from '@parley/contract/inbox/inbox.ts';
import { addConversationLabel, removeConversationLabel } from '@parley/contract/inbox/label_changes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/http/client.ts';
import { queryKey, toastError } from '../../kernel/http/query.ts';

/** Returns the function that adds a label to a conversation or removes it, and shows the change immediately. */
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

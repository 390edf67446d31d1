/** Assigns a conversation, and shows the new assignee immediately. */
import type { InboxUser } from '@parley/contract/inbox/assignments.ts';
import { type Conversation, getConversation, updateConversation } from '@parley/contract/inbox/inbox.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/http/client.ts';
import { queryKey, toastError } from '../../kernel/http/query.ts';

const MODULES = ['conversations', 'conversation_badges', 'conversation_assignments'];

/** Returns the function that assigns a conversation to a user, or unassigns it. */
export function useAssign(): (conversation: Pick<Conversation, 'id' | 'assignee_id'>, to: InboxUser | null) => void {
  const client = useQueryClient();
  return ({ id, assignee_id }, to) => {
    if (assignee_id === (to?.id ?? null)) return;
    const key = queryKey(getConversation, { params: { id } });
    client.setQueryData<{ data: Conversation }>(
      key,
      (old) =>
        old && { ...old, data: { ...old.data, assignee_id: to?.id ?? null, assignee_name: to?.full_name ?? null } },
    );
    call(updateConversation, { params: { id }, body: { assignee_id: to?.id ?? null } })
      .catch(toastError)
      .finally(() => {
        for (const module of MODULES) void client.invalidateQueries({ queryKey: [module] });
      });
  };
}

/**
 * Conversations that the user can no longer view, because another user deleted or assigned them, or withdrew the
 * permission. An open one closes with a dialog, and any other that was deleted or assigned is reported in a toast, on
 * every page.
 */
import { conversationAssigned } from '@parley/contract/inbox/assignments.ts';
import {
  canViewBucket,
  conversationBucket,
  conversationDeleted,
  getConversation,
  listConversationMessages,
} from '@parley/contract/inbox/inbox.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { ApiResponse } from '../../kernel/http/client.ts';
import { queryKey } from '../../kernel/http/query.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { closeViews, isOpen, openConversations } from './open_conversations.ts';
import type { Loss } from './UnavailableDialog.tsx';

const UNAVAILABLE = 'One of conversations is currently unavailable.';

/** Returns the notice about an open conversation, if there is one. */
export function useLosses(): { loss: Loss | null; acknowledge: () => void } {
  const client = useQueryClient();
  const { user, permissions } = useSession();
  const [loss, setLoss] = useState<Loss | null>(null);
  const forget = useCallback(
    (id: string) => {
      closeViews(id);
      client.removeQueries({ queryKey: queryKey(getConversation, { params: { id } }) });
      client.removeQueries({ queryKey: ['conversation_messages', listConversationMessages.id, id] });
    },
    [client],
  );
  // In the layout phase, a view that disappears with the permission is still open.
  useLayoutEffect(() => {
    for (const id of openConversations()) {
      const key = queryKey(getConversation, { params: { id } });
      const conversation = client.getQueryData<ApiResponse<typeof getConversation>>(key)?.data;
      if (!conversation) continue;
      const bucket = conversationBucket(conversation.assignee_id, user.id);
      if (canViewBucket(bucket, { user_id: user.id, permissions })) continue;
      forget(id);
      setLoss('deleted');
    }
  }, [client, forget, user.id, permissions]);
  useEffect(() => {
    const lose = (id: string, isOwnChange: boolean, showPopUp: boolean, why: Loss, text: string) => {
      const wasOpen = isOpen(id);
      forget(id);
      if (isOwnChange) return;
      if (wasOpen && showPopUp) setLoss(why);
      else toast.warning(text);
    };
    const offs = [
      onLive(conversationDeleted, ({ id, user_id, show_pop_up }) =>
        lose(id, user_id === user.id, show_pop_up, 'deleted', UNAVAILABLE),
      ),
      onLive(conversationAssigned, ({ conversation_id, from, to, by, show_pop_up }) => {
        const bucket = conversationBucket(to?.id ?? null, user.id);
        if (canViewBucket(bucket, { user_id: user.id, permissions })) return;
        const isOwnLoss = from?.id === user.id;
        lose(
          conversation_id,
          by?.id === user.id,
          show_pop_up,
          isOwnLoss ? 'unassigned' : 'deleted',
          isOwnLoss ? "You've been unassigned from a conversation." : UNAVAILABLE,
        );
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, [forget, user.id, permissions]);
  return { loss, acknowledge: () => setLoss(null) };
}

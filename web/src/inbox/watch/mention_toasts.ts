/** Toasts about notes that mention the user. The button opens the conversation. */
import { conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { mentionCreated } from '@parley/contract/inbox/notes.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../../paths.ts';
import { isolate } from '../../ui/data/text_direction.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { isOpen } from './open_conversations.ts';

/** The part of a note that a toast shows. */
const EXCERPT = 120;

export function useMentionToasts(): void {
  const { user, admin } = useSession();
  const navigate = useNavigate();
  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  });
  useEffect(() => {
    if (admin) return;
    return onLive(mentionCreated, ({ id, conversation_id, assignee_id, by_name, text }) => {
      if (isOpen(conversation_id)) return;
      const path = conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], conversation_id);
      toast.info(isolate(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text), {
        id: `mention.${id}`,
        title: `${isolate(by_name)} mentioned you`,
        autoClose: 15_000,
        action: { label: 'Open', run: () => void go.current(linkToAddress(path)) },
      });
    });
  }, [admin, user.id]);
}

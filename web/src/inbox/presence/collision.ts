/** Asks before a reply is sent if another user has replied since the text was begun. */
import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { logCollision } from '@parley/contract/inbox/presence.ts';
import { UNDELIVERED } from '@parley/contract/messages/statuses.ts';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { toastError } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import type { Thread } from '../thread/thread.ts';

/** The newest message when a conversation's text was begun. */
const begun = new Map<string, string>();

export interface Collision {
  /** The reply of the other user. */
  reply: ConversationMessage;
  sendAnyway: () => void;
  cancel: () => void;
}

export interface CollisionGuard {
  collision: Collision | null;
  /** Sends immediately, or asks the user first. */
  guard: (send: () => void) => void;
  /** Call whenever the reply becomes empty or not. */
  onText: (hasText: boolean) => void;
}

export function useCollisionGuard(
  { id }: Conversation,
  { messages, loading }: Thread,
  onEmpty: () => void,
): CollisionGuard {
  const { user } = useSession();
  const [hasText, setHasText] = useState(false);
  const [asked, setAsked] = useState<{ reply: ConversationMessage; send: () => void } | null>(null);
  const newest = messages.at(-1)?.id ?? '';
  useEffect(() => {
    if (!hasText) begun.delete(id);
    else if (!loading && !begun.has(id)) begun.set(id, newest);
  }, [id, hasText, loading, newest]);

  const isReply = ({ direction, source, status, user_id }: ConversationMessage): boolean =>
    direction === 'MT' &&
    source === 'inbox' &&
    user_id !== null &&
    user_id !== user.id &&
    !UNDELIVERED.includes(status);
  const guard = (send: () => void) => {
    const since = begun.get(id) ?? newest;
    // IDs are ordered by time.
    const reply = messages.findLast((one) => one.id > since && isReply(one));
    if (reply) setAsked({ reply, send });
    else send();
  };
  const sendAnyway = () => {
    if (!asked) return;
    setAsked(null);
    begun.delete(id);
    asked.send();
    call(logCollision, { params: { id }, body: { message_id: asked.reply.id } }).catch(toastError);
  };
  return {
    collision: asked && { reply: asked.reply, sendAnyway, cancel: () => setAsked(null) },
    guard,
    onText: useCallback(
      (next: boolean) => {
        setHasText(next);
        if (!next) onEmpty();
      },
      [onEmpty],
    ),
  };
}

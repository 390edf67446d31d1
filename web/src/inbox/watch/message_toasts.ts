/**
 * Toasts about messages that arrive while the user works on another page. The button opens the Quick Reply dialog. The
 * server sends only conversations that the user may view.
 */
import {
  type Conversation,
  conversationBucket,
  conversationCreated,
  conversationUpdated,
} from '@parley/contract/inbox/inbox.ts';
import { useEffect } from 'react';
import { personName } from '../../channels/compose/person_name.ts';
import { onLive } from '../../kernel/live/live.ts';
import { openQuickReply } from '../../kernel/quick_reply.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { parsePhone } from '../../ui/data/phone.ts';
import { isolate } from '../../ui/data/text_direction.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { messagePreview } from '../list/last_message.ts';
import { isOpen } from './open_conversations.ts';
import { playSound } from './sound.ts';
import { useViewChoice } from './view_choice.ts';

/** Busy inboxes do not cover the page with toasts: at most this many start in each period. */
const MAX_TOASTS = 3;
const PERIOD_MS = 10_000;
/** Older events were missed while the tab was in the background. */
const FRESH_MS = 60_000;

export function useMessageToasts(): void {
  const { user, admin } = useSession();
  const mayReply = useReason('MESSAGES:view') === null && !admin;
  const findChoice = useViewChoice(mayReply);
  useEffect(() => {
    if (!mayReply) return;
    const shown = new Set<string>();
    let recent: number[] = [];
    const notify = async (conversation: Conversation, timestamp: string) => {
      const { id, last_message: last, unread_count, assignee_id } = conversation;
      if (last?.direction !== 'MO' || unread_count === 0 || shown.has(last.id)) return;
      shown.add(last.id);
      const now = Date.now();
      if (now - Date.parse(`${timestamp.replace(' ', 'T')}Z`) > FRESH_MS) return;
      const isUsual = conversationBucket(assignee_id, user.id) !== 'others';
      const choice = (await findChoice(id)) ?? { sound: isUsual, toasts: isUsual };
      if (choice.sound && (!isOpen(id) || !document.hasFocus())) playSound();
      if (!choice.toasts || isOpen(id) || location.pathname.startsWith('/inbox')) return;
      recent = recent.filter((at) => now - at < PERIOD_MS);
      if (recent.length >= MAX_TOASTS) return;
      recent.push(now);
      toast.info(isolate(messagePreview(last)), {
        id: `message.${id}`,
        title: personName(conversation) || parsePhone(conversation.number).text,
        action: { label: 'Reply', run: () => openQuickReply({ id }) },
      });
    };
    const offs = [
      onLive(conversationCreated, (conversation, { timestamp }) => void notify(conversation, timestamp)),
      onLive(conversationUpdated, (conversation, { timestamp }) => void notify(conversation, timestamp)),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, [mayReply, user.id, findChoice]);
}

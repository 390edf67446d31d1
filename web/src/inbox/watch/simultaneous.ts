/** Tells both users if they reply to the same person within seconds, whether or not the conversation is still open. */
import { type Message, messageCreated } from '@parley/contract/messages/messages.ts';
import { useEffect } from 'react';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { instant } from '../../ui/data/format.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { isolate } from '../../ui/data/text_direction.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';

/** Replies this close together were written without knowing of each other. */
const TOGETHER_MS = 2_000;

export function useSimultaneousReplies(): void {
  const { user, admin } = useSession();
  useEffect(() => {
    if (admin) return;
    let recent: Message[] = [];
    return onLive(messageCreated, (message) => {
      if (message.direction !== 'MT' || message.source !== 'inbox' || message.user_id === null) return;
      const at = instant(message.create_date).getTime();
      recent = recent.filter((one) => at - instant(one.create_date).getTime() <= TOGETHER_MS);
      const other = recent.find(
        (one) => one.sender_id === message.sender_id && one.to === message.to && one.user_id !== message.user_id,
      );
      recent.push(message);
      if (!other) return;
      const theirs = [other, message].find(({ user_id }) => user_id !== user.id);
      if (!theirs || (other.user_id !== user.id && message.user_id !== user.id)) return;
      toast.warning(isolate(theirs.text), {
        id: `together.${theirs.id}`,
        title: `Another user replied to ${parsePhone(message.to).text} at the same time`,
        autoClose: 15_000,
      });
    });
  }, [admin, user.id]);
}

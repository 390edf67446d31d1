/** Whether the channel lets us write freely now. A session ends by itself: nobody tells us, so the clock does. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { type Conversation, isSessionOpen } from '@parley/contract/inbox/inbox.ts';
import { useEffect, useState } from 'react';
import { instant } from '../../ui/data/format.ts';

const LONGEST_TIMER_MS = 2_147_483_647;

export function useSessionOpen({ session }: Pick<Conversation, 'session'>): boolean {
  const [, tick] = useState(0);
  const until = session?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    const left = instant(until).getTime() - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => tick((n) => n + 1), Math.min(left + 50, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [until]);
  return isSessionOpen(session, new Date());
}

export interface Freedom {
  /** Free text and files may be sent. */
  free: boolean;
  /** What to know before writing; null when all is as usual. */
  notice: string | null;
}

const PROMOTIONAL = 'What you send now goes as a promotional message, a document as a transactional one.';

export function freedomOf({ channel, session }: Pick<Conversation, 'channel' | 'session'>, open: boolean): Freedom {
  if (session === null || open) return { free: true, notice: null };
  const { label, session: rules } = channelRules(channel);
  if (rules?.outside === 'templates')
    return {
      free: false,
      notice: `The ${label} session is closed: this person ${
        session.until === null ? 'has not written yet' : `last wrote more than ${rules.hours} hours ago`
      }. Only template messages can be sent.`,
    };
  return {
    free: true,
    notice: session.limit_reached
      ? `As many messages as ${label} takes in this session were sent. ${PROMOTIONAL}`
      : `The ${label} session is closed. ${PROMOTIONAL}`,
  };
}

/** The session rules of WhatsApp and Viber. No event signals the end of a session, so a timer is used. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { type Conversation, isSessionOpen } from '@parley/contract/inbox/inbox.ts';
import { useEffect, useState } from 'react';
import { instant } from '../../ui/data/format.ts';

const MAX_TIMER_MS = 2_147_483_647;
const OUTSIDE_SESSION = 'Replies are now sent as promotional messages, and documents as transactional messages.';

export function useSessionOpen({ session }: Pick<Conversation, 'session'>): boolean {
  const [, tick] = useState(0);
  const until = session?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    const left = instant(until).getTime() - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => tick((n) => n + 1), Math.min(left + 50, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }, [until]);
  return isSessionOpen(session, new Date());
}

export interface SessionRules {
  /** True if free text and files can be sent. */
  isFreeForm: boolean;
  /** A notice about the session; null if it is open or not needed. */
  notice: string | null;
}

export function sessionRules(
  { channel, session }: Pick<Conversation, 'channel' | 'session'>,
  open: boolean,
): SessionRules {
  if (session === null || open) return { isFreeForm: true, notice: null };
  const { label, session: rules } = channelRules(channel);
  if (rules?.outside === 'templates')
    return {
      isFreeForm: false,
      notice: `The ${label} session is closed: this person ${
        session.until === null ? 'has not messaged you yet' : `last messaged you more than ${rules.hours} hours ago`
      }. You can only send templates.`,
    };
  return {
    isFreeForm: true,
    notice: session.limit_reached
      ? `${label}’s session limit is reached. ${OUTSIDE_SESSION}`
      : `The ${label} session is closed. ${OUTSIDE_SESSION}`,
  };
}

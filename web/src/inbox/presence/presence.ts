/** Reports what the user does in the open conversation, and returns the other users who are in it. */
import {
  type PresenceState,
  type PresentUser,
  presenceChanged,
  reportPresence,
} from '@parley/contract/inbox/presence.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { useOpenConversation } from '../watch/open_conversations.ts';

/** The server forgets a page that has not reported for a minute. */
const REPORT_MS = 20_000;
/** A user who has not pressed a key for this long has stopped typing. */
const TYPING_MS = 5_000;

interface Presence {
  others: readonly PresentUser[];
  /** Call with each key. */
  onType: () => void;
  /** Call when the text is empty, because it was sent or deleted. */
  onStop: () => void;
}

const NOBODY: readonly PresentUser[] = [];

export function usePresence(id: string): Presence {
  const { user } = useSession();
  const [others, setOthers] = useState<readonly PresentUser[]>(NOBODY);
  const type = useRef(() => {});
  const rest = useRef(() => {});
  const lost = useRef(false);
  // The server returns 404 for a conversation that is deleted or no longer visible, so nothing is reported.
  useOpenConversation(id, () => {
    lost.current = true;
  });
  useEffect(() => {
    let mounted = true;
    lost.current = false;
    let state: PresenceState = document.visibilityState === 'visible' ? 'viewing' : 'away';
    let stop: ReturnType<typeof setTimeout> | undefined;
    const report = () =>
      call(reportPresence, { params: { id }, body: { state } }, { keepalive: state === 'away' }).then(
        ({ data }) => mounted && setOthers(data.others),
        // Presence is optional, and the thread reports its own errors.
        () => {},
      );
    const become = (next: PresenceState) => {
      if (next === state) return;
      state = next;
      void report();
    };
    type.current = () => {
      clearTimeout(stop);
      stop = setTimeout(() => rest.current(), TYPING_MS);
      become('typing');
    };
    rest.current = () => {
      clearTimeout(stop);
      if (state === 'typing') become('viewing');
    };
    const look = () => become(document.visibilityState === 'visible' ? 'viewing' : 'away');
    if (state === 'viewing') void report();
    const timer = setInterval(() => state !== 'away' && void report(), REPORT_MS);
    document.addEventListener('visibilitychange', look);
    const off = onLive(presenceChanged, (change) => {
      if (change.id !== id || change.user_id === user.id) return;
      const { user_id, full_name, state: now } = change;
      setOthers((old) => {
        const remaining = old.filter((one) => one.user_id !== user_id);
        return now === 'away' ? remaining : [...remaining, { user_id, full_name, state: now }];
      });
    });
    return () => {
      mounted = false;
      clearTimeout(stop);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      off();
      if (!lost.current) become('away');
    };
  }, [id, user.id]);
  return {
    others,
    onType: useCallback(() => type.current(), []),
    onStop: useCallback(() => rest.current(), []),
  };
}

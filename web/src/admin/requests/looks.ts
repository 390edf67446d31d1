/** Who else has a request open: asked for when it is opened, again while it stays open, and at once when somebody comes or goes. */
import { putRequestPresence, requestPresenceChanged } from '@parley/contract/admin/requests.ts';
import { useEffect, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';

/** The server forgets who was not heard of for a minute. */
const AGAIN_MS = 20_000;

export function useLooks(id: string): readonly string[] {
  const { user } = useSession();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let here = true;
    const say = (looking: boolean) =>
      call(putRequestPresence, { params: { id }, body: { looking } }).then(
        ({ data }) => here && setNames(data.others.map(({ name }) => name || 'Somebody')),
        // It is only a courtesy: whatever is wrong is told by what the panel itself asks for.
        () => {},
      );
    void say(true);
    const timer = setInterval(() => void say(true), AGAIN_MS);
    const deaf = onLive(requestPresenceChanged, (look) => {
      if (look.id === id && look.user_id !== user.id) void say(true);
    });
    return () => {
      here = false;
      clearInterval(timer);
      deaf();
      void say(false);
    };
  }, [id, user.id]);
  return names;
}

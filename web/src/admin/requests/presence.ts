/** Shows operators who else has a request open. */
import { putRequestPresence, requestPresenceChanged } from '@parley/contract/admin/requests.ts';
import { useEffect, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';

/** The server drops operators who have not reported for a minute. */
const REPORT_MS = 20_000;

/**
 * Reports that this operator has the request open, and returns the names of the other operators who do. It reports when
 * the request opens, every REPORT_MS, and as soon as another operator opens or closes the request.
 */
export function usePresence(id: string): readonly string[] {
  const { user } = useSession();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let mounted = true;
    const report = (looking: boolean) =>
      call(putRequestPresence, { params: { id }, body: { looking } }).then(
        ({ data }) => mounted && setNames(data.others.map(({ name }) => name || 'Someone')),
        // Failures are ignored, because presence is optional and the panel reports its own errors.
        () => {},
      );
    void report(true);
    const timer = setInterval(() => void report(true), REPORT_MS);
    const unsubscribe = onLive(requestPresenceChanged, (change) => {
      if (change.id === id && change.user_id !== user.id) void report(true);
    });
    return () => {
      mounted = false;
      clearInterval(timer);
      unsubscribe();
      void report(false);
    };
  }, [id, user.id]);
  return names;
}

/**
 * Registers the callback URL with carriers that support it: when a connection is created or changed, and when the
 * public URL changes. Retries while a carrier is unreachable or refuses. Several workers may do this at once, because
 * repeating the registration is harmless. The result is stored in `callback_state` for operators.
 */
import { adaptersWith } from '../channels/index.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { callbackUrl, openConnection } from './connections.ts';

const INTERVAL_MS = 2_000;
/** Pause before a refused registration is retried. */
const RETRY_SECONDS = 15;

export function keepSubscribed(kernel: Kernel): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = (async () => {
    // A carrier may verify the URL immediately, so the process must be listening first.
    await pause(INTERVAL_MS, stopping.signal);
    while (!stopping.signal.aborted) {
      await subscribeAll(kernel).catch((error) => kernel.log.error({ err: error }, 'callback registration'));
      await pause(INTERVAL_MS, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

/** Registers the callback URL for each connection that is due. Returns the number of registrations. */
export async function subscribeAll(kernel: Kernel): Promise<number> {
  const rows = await kernel.db.rows<{
    id: string;
    state: { ok: boolean; url: string } | null;
    due: boolean;
  }>(sql`
    select id, callback_state as state,
           coalesce((callback_state->>'at')::timestamp at time zone 'UTC'
             < now() - ${RETRY_SECONDS} * interval '1 second', true) as due
    from connections c where enabled and adapter = any(${adaptersWith('registration')}::text[])
      -- A connection whose registration ended is registered again once a sender uses it.
      and (not coalesce((callback_state->>'ended')::boolean, false)
        or exists (select from senders s where s.connection_id = c.id and s.delete_date is null
          and s.carrier_address is not null))`);
  let count = 0;
  for (const { id, state, due } of rows) {
    const url = callbackUrl(kernel, id);
    if (state?.url === url && (state.ok || !due)) continue;
    await subscribe(kernel, id, url);
    count++;
  }
  return count;
}

async function subscribe(kernel: Kernel, id: string, url: string): Promise<void> {
  const error = await openConnection(kernel, kernel.db, id)
    .then((connection) => connection?.adapter.registration?.subscribe(connection.spec, url))
    .then(
      () => null,
      (error: Error) => error,
    );
  const state = {
    at: kernel.clock.now().toISOString().slice(0, 19).replace('T', ' '),
    ok: error === null,
    text: error?.message.slice(0, 300) ?? '',
    url,
  };
  if (error) kernel.log.warn({ err: error, connection: id }, 'callback URL not registered with the carrier');
  await kernel.db.run(sql`
    update connections set callback_state = ${JSON.stringify(state)}::jsonb
    where id = ${id} and callback_state is distinct from ${JSON.stringify(state)}::jsonb`);
}

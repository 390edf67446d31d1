/**
 * Assigns positions to committed events: `seq` and a strictly increasing `published_at`. One process does this at a
 * time, under a session advisory lock, and the other processes wait for the lock. This way, a reader that resumes after
 * a position misses no events and gets no event twice.
 */
import type pg from 'pg';
import type { Db } from '../db/db.ts';
import { onEvents } from './events.ts';

// Not the lock of the previous release, whose sequencer can still hold it during an upgrade.
const LOCK = 7_301_002;
const BATCH = 2_000;
const POLL_MS = 200;
/**
 * Pause between two batches, so that many transactions share one batch under load. The first event after a quiet period
 * does not wait.
 */
const SPACING_MS = 40;

interface Sequencer {
  stop(): Promise<void>;
}

/** Wakes up when this process emits events. Other processes get one NOTIFY per batch. */
export function startSequencer(db: Db, failed: (error: unknown) => void): Sequencer {
  let stopped = false;
  const held: { client: pg.Client | null } = { client: null };
  let wake: () => void = () => {};
  let woken = false;
  const unsubscribe = onEvents(() => {
    woken = true;
    wake();
  });

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      if (woken || stopped) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function lead(): Promise<boolean> {
    held.client ??= await db.dedicated('parley sequencer');
    const { rows } = await held.client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK]);
    return rows[0]!.locked;
  }

  const loop = (async () => {
    let leading = false;
    while (!stopped) {
      try {
        if (!leading) leading = await lead();
        if (!leading) {
          woken = false;
          await pause(1_000);
          continue;
        }
        woken = false;
        // This connection holds the lock, so a dead connection is detected before positions are assigned.
        const count = await sequenceEvents(held.client!);
        if (count > 0 && count < BATCH) await new Promise((resolve) => setTimeout(resolve, SPACING_MS));
        if (count < BATCH) await pause(POLL_MS);
        else await new Promise((resolve) => setImmediate(resolve));
      } catch (error) {
        failed(error);
        leading = false;
        await held.client?.end().catch(() => {});
        held.client = null;
        if (!stopped) await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    await held.client?.end().catch(() => {});
  })();

  return {
    async stop() {
      stopped = true;
      unsubscribe();
      wake();
      await loop;
    },
  };
}

// One statement on the connection that holds the lock takes events from the queue, then assigns and stores their
// positions. The rows of the events are neither read nor changed. Events in a batch are ordered by id (time-ordered
// within a process). Concurrent commits from several processes may end up in any order.
async function sequenceEvents(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'sequence-events',
    text: `
      with taken as (
        delete from event_queue where id = any(array(
          select id from event_queue order by id limit ${BATCH} for update skip locked))
        returning account_id, id, live
      ), batch as (
        select account_id, id, live, row_number() over (order by id) as n from taken
      ), position as (
        update event_position
        set seq = seq + (select count(*) from batch),
            published_at = greatest(published_at + interval '1 microsecond', clock_timestamp())
                         + (select count(*) from batch) * interval '1 microsecond'
        where exists (select 1 from batch)
        returning seq, published_at, (select count(*) from batch) as size
      ), assigned as (
        insert into event_positions (account_id, published_at, seq, event_id, live)
        select batch.account_id, position.published_at - (position.size - batch.n) * interval '1 microsecond',
          position.seq - position.size + batch.n, batch.id, batch.live
        from batch, position
        returning 1
      )
      select count(*)::int as count, case when count(*) > 0 then pg_notify('parley_events', '') end from assigned`,
  });
  return rows[0]!.count;
}

/**
 * Events are facts, stored in the transaction that made them true, with a row in the queue of the sequencer. It assigns
 * positions after the commit (sequencer.ts). If positions were assigned inside transactions, readers that resume would
 * miss events. The row of an event is never changed.
 */
import type { EventType } from '@parley/contract/event.ts';
import type { z } from 'zod';
import { newId } from '../clock.ts';
import { jsonArray, type Sql, sql, type Tx } from '../db/db.ts';

interface Pending {
  account_id: string;
  id: string;
  type: string;
  payload: unknown;
  live: boolean;
}

/** Puts the events in `stored` into the queue of the sequencer. */
const QUEUE_STORED: Sql = sql`insert into event_queue (account_id, id, live) select account_id, id, live from stored`;

const pending = new WeakMap<Tx, Pending[]>();
const wakers = new Set<() => void>();

/**
 * Calls `wake` after each commit that stored events, so that this process's sequencer does not wait for its next poll.
 */
export function onEvents(wake: () => void): () => void {
  wakers.add(wake);
  return () => wakers.delete(wake);
}

/**
 * Stores the event in the caller's transaction. `live: false` keeps it out of the live stream (webhooks still get it),
 * for events that occur in the thousands and are covered by a summary event.
 */
export function emit<P extends z.ZodType>(
  tx: Tx,
  type: EventType<P>,
  account_id: string,
  payload: z.input<P>,
  options: { live?: boolean } = {},
): void {
  let list = pending.get(tx);
  if (!list) {
    list = [];
    pending.set(tx, list);
    tx.beforeCommit('events', flush);
    tx.afterCommit(() => {
      for (const wake of wakers) wake();
    });
  }
  list.push({ account_id, id: newId(), type: type.id, payload, live: options.live ?? true });
}

/**
 * Like `emit` with `live: false`, for events that occur in the thousands: the events of an account are one row with an
 * array of payloads.
 */
export async function emitMany<P extends z.ZodType>(
  tx: Tx,
  type: EventType<P>,
  events: readonly { account_id: string; payload: z.input<P> }[],
): Promise<void> {
  const accounts = [...new Set(events.map(({ account_id }) => account_id))];
  if (accounts.length === 0) return;
  const payloads = accounts.map((id) =>
    events.filter((event) => event.account_id === id).map((event) => event.payload),
  );
  await tx.run(sql`
    insert into events (account_id, id, type, payload, live, many)
    select account_id, id, ${type.id}, payload, false, true
    from unnest(${accounts}::uuid[], ${accounts.map(() => newId())}::uuid[],
                ${jsonArray(payloads)}) as e(account_id, id, payload)`);
}

/**
 * Like `emit`, for many events at once: one statement writes the rows (`write`, a statement with `returning`, available
 * as `written`) and creates events from them. `select` returns account_id, id (one `newId()` per event), payload, and
 * live. Events that are not live are stored together, one row per account with an array of payloads (`many`). Returns
 * the number of written rows.
 */
export async function writeAndEmit<P extends z.ZodType>(
  tx: Tx,
  type: EventType<P>,
  write: Sql,
  select: Sql,
): Promise<number> {
  const { written, stored } = await tx.one<{ written: number; stored: number }>(sql`
    with written as (${write}), s as materialized (${select}), stored as (
      insert into events (account_id, id, type, payload, live, many, queued)
      select account_id, id, ${type.id}, payload::json, true, false, true from s where live
      union all
      select account_id, (array_agg(id order by id))[1], ${type.id}, json_agg(payload), false, true, true
      from s where not live group by account_id
      returning account_id, id, live
    ), queued as (${QUEUE_STORED})
    select (select count(*) from written) as written, (select count(*) from stored) as stored`);
  if (stored > 0) {
    tx.afterCommit(() => {
      for (const wake of wakers) wake();
    });
  }
  return written;
}

/** Like `writeAndEmit`, for rows that already exist. */
export async function emitSelected<P extends z.ZodType>(tx: Tx, type: EventType<P>, select: Sql): Promise<void> {
  await writeAndEmit(tx, type, sql`select`, select);
}

async function flush(tx: Tx): Promise<void> {
  const list = pending.get(tx) ?? [];
  pending.delete(tx);
  if (list.length === 0) return;
  await tx.run(sql`
    with stored as (
      insert into events (account_id, id, type, payload, live, queued)
      select *, true from unnest(
        ${list.map((event) => event.account_id)}::uuid[], ${list.map((event) => event.id)}::uuid[],
        ${list.map((event) => event.type)}::text[], ${jsonArray(list.map((event) => event.payload))},
        ${list.map((event) => event.live)}::boolean[])
      returning account_id, id, live
    )
    ${QUEUE_STORED}`);
}

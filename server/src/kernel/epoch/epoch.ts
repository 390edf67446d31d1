/**
 * The epoch of the database identifies one history of its data. A failover, a restore, or a copy starts a new epoch,
 * which lacks the newest changes of the previous history. Messages are sent only in a known epoch: every claim checks
 * it (`may_send`), and a worker that detects a new epoch holds sending.
 */
import { type Db, type Queryable, sql, type Tx } from '../db/db.ts';

export type EpochCause = 'failover' | 'restore' | 'rewind';

export interface Epoch {
  epoch: number;
  identity: string;
  /** The current identity of the database. */
  actual: string;
  state: 'open' | 'checking' | 'held';
  cause: EpochCause | null;
  change_date: string | null;
  data_date: string | null;
  awaited: string[];
  /** True if the workers did not confirm the epoch in time. */
  overdue: boolean;
}

/** Runs in the transaction that holds sending. */
export type HoldStep = (tx: Tx) => Promise<void>;

/** The time in which all workers must find their last claims in the promoted database. */
const CHECK = '30 seconds';

export const readEpoch = (db: Queryable): Promise<Epoch> =>
  db.one<Epoch>(sql`
    select epoch, identity, database_identity() as actual, state, cause, change_date, data_date, awaited,
      state = 'checking' and change_date < now() - ${CHECK}::interval as overdue
    from database_epoch`);

/** Records that this epoch is in use. The recorded time tells when the data of a copy ends. */
export const touchEpoch = (db: Db): Promise<number> =>
  db.run(sql`
    update database_epoch set seen_date = now()
    where seen_date < now() - interval '1 second' and identity = database_identity()`);

/** A new timeline of the same table means a promotion. Any other difference means a copy. */
export function compareIdentities(known: string, actual: string): EpochCause | null {
  if (known === actual) return null;
  const [system, timeline, ...ids] = known.split('/');
  const [actualSystem, actualTimeline, ...actualIds] = actual.split('/');
  const isSameTable = system === actualSystem && ids.join() === actualIds.join();
  return isSameTable && timeline !== actualTimeline ? 'failover' : 'restore';
}

/**
 * Begins a new epoch if the database was replaced, or if a worker has `lost` commits. After a promotion, the workers
 * check their claims first, because sending may resume automatically. Otherwise, sending is held. Returns the cause, or
 * null if another worker was faster.
 */
export const beginEpoch = (
  db: Db,
  known: number,
  lost: boolean,
  steps: readonly HoldStep[],
): Promise<EpochCause | null> =>
  db.tx(async (tx) => {
    await tx.run(sql`select from database_epoch for update`);
    const { epoch, identity, actual, state } = await readEpoch(tx);
    const cause = compareIdentities(identity, actual) ?? (lost && epoch === known ? 'rewind' : null);
    if (cause === null) return null;
    const mayResume = cause === 'failover' && state === 'open' && !lost;
    const workers = mayResume ? await tx.rows<{ id: string }>(sql`select id from workers`) : [];
    await tx.run(sql`
      update database_epoch set epoch = epoch + 1, identity = ${actual}, cause = ${cause}, change_date = now(),
        data_date = case when state = 'open' then seen_date else data_date end,
        awaited = ${workers.map(({ id }) => id)}::uuid[], state = ${workers.length > 0 ? 'checking' : 'held'}`);
    // Clients may have seen events that are missing here, so they cannot resume from an earlier position.
    await tx.run(sql`
      update event_position set epoch = epoch + 1,
        published_at = greatest(published_at + interval '1 microsecond', clock_timestamp()),
        kept_since = greatest(published_at + interval '1 microsecond', clock_timestamp())`);
    if (workers.length === 0) for (const step of steps) await step(tx);
    return cause;
  });

/** Records that a worker found its last claims. Sending resumes after the last one. Returns the new state. */
export async function confirmEpoch(db: Db, worker_id: string): Promise<Epoch['state'] | null> {
  const row = await db.maybeOne<{ state: Epoch['state'] }>(sql`
    update database_epoch set awaited = array_remove(awaited, ${worker_id}::uuid),
      state = case when array_remove(awaited, ${worker_id}::uuid) = '{}' then 'open' else state end
    where state = 'checking' and identity = database_identity() and ${worker_id}::uuid = any(awaited)
    returning state`);
  return row?.state ?? null;
}

/** Holds sending because the promoted database lost commits, or because workers could not confirm it. */
export const holdSending = (db: Db, steps: readonly HoldStep[]): Promise<boolean> =>
  db.tx(async (tx) => {
    const held = await tx.run(sql`update database_epoch set state = 'held', awaited = '{}' where state = 'checking'`);
    if (held > 0) for (const step of steps) await step(tx);
    return held > 0;
  });

/** True while the leases and claims of other workers cannot be trusted. */
export async function isEpochUncertain(db: Queryable): Promise<boolean> {
  const { state, identity, actual } = await readEpoch(db);
  return state === 'checking' || identity !== actual;
}

/** Deletes old rows from tables that only grow: events, idempotency keys, sessions, doctor runs, and sent emails. */
import { sql } from '../db/db.ts';
import { type JobWork, job, work } from './jobs.ts';

/** A stream can resume from positions up to this old. For an older position, it gets `resync`. */
const EVENTS_KEPT_DAYS = 7;
const BATCH = 5_000;

const prune = job('housekeeping.prune', { cron: '17 * * * *', retry: 0, expire_seconds: 1_800 });

export const housekeeping: readonly JobWork[] = [
  work(prune, async ({ db }, _, signal) => {
    // The limit moves first, because a reader must get `resync` before its events are deleted.
    await db.run(sql`
      update event_position set kept_since = greatest(kept_since, now() - make_interval(days => ${EVENTS_KEPT_DAYS}))`);
    while (!signal.aborted) {
      const { removed } = await db.one<{ removed: number }>(sql`
        with removed as (
          delete from event_positions where seq = any(array(
            select seq from (select seq, published_at from event_positions order by seq limit ${BATCH}) oldest
            where published_at < now() - make_interval(days => ${EVENTS_KEPT_DAYS}, hours => 1)))
          returning account_id, event_id
        ), erased as (
          delete from events e using removed r where e.account_id = r.account_id and e.id = r.event_id
        )
        select count(*)::int as removed from removed`);
      if (removed < BATCH) break;
    }
    await db.run(sql`delete from idempotency_keys where create_date < now() - interval '48 hours'`);
    await db.run(sql`delete from auth_sessions where expire_date < now() - interval '30 days'`);
    await db.run(sql`delete from doctor_runs where create_date < now() - interval '90 days'`);
    await db.run(sql`
      delete from mails
      where status <> 'waiting' and coalesce(sent_date, create_date) < now() - interval '30 days'`);
  }),
];

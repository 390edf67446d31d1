/**
 * Keeps acknowledged reports whose message is not known yet. They are retried when an id becomes known and, while they
 * are young, every second. After three days, or if a connection has too many, they are dropped.
 */
import type { Report } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';

export interface ArrivedReport {
  connection_id: string;
  report: Report;
}

const KEEP_FOR = '72 hours';
const KEEP_PER_CONNECTION = 10_000;

export async function keepUnmatched(tx: Tx, arrived: readonly ArrivedReport[]): Promise<void> {
  if (arrived.length === 0) return;
  await tx.run(sql`
    insert into unmatched_reports (id, connection_id, external_id, number, report)
    select * from unnest(
      ${arrived.map(() => newId())}::uuid[], ${arrived.map(({ connection_id }) => connection_id)}::uuid[],
      ${arrived.map(({ report }) => report.external_id)}::text[], ${arrived.map(({ report }) => report.number)}::text[],
      ${arrived.map(({ report }) => JSON.stringify(report))}::jsonb[])`);
}

/** Removes and returns the reports from the last `age` whose id is now known. */
export const takeMatchable = (tx: Tx, age: string, limit: number): Promise<ArrivedReport[]> =>
  tx.rows<ArrivedReport>(sql`
    delete from unmatched_reports u using (
      select w.id from unmatched_reports w
      where w.create_date > now() - ${age}::interval and w.external_id <> ''
        and exists (select from submissions s where s.connection_id = w.connection_id and s.external_id = w.external_id)
      order by w.create_date limit ${limit} for update skip locked
    ) known
    where u.id = known.id
    returning u.connection_id, u.report`);

export const pruneUnmatched = (db: Db, limit: number) =>
  db.run(sql`
    delete from unmatched_reports where id in (
      select id from unmatched_reports where create_date < now() - ${KEEP_FOR}::interval order by create_date
      limit ${limit})`);

/** Keeps the newest reports of each connection, because another system on the same account can cause many. */
export const trimUnmatched = (db: Db, limit = KEEP_PER_CONNECTION) =>
  db.run(sql`
    delete from unmatched_reports u
    using connections c cross join lateral (
      select w.id from unmatched_reports w where w.connection_id = c.id order by w.id desc offset ${limit} limit 1
    ) oldest
    where u.connection_id = c.id and u.id <= oldest.id`);

const listeners = new Set<() => void>();

/** Calls the listener when an id becomes known that a kept report waits for. */
export function onMatchable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceMatchable(tx: Tx): void {
  tx.afterCommit(() => {
    for (const listener of listeners) listener();
  });
}

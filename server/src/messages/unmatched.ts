/**
 * Reports that came before their message's answer was written down, or whose message nobody knows. They are acknowledged, so they are kept: looked at
 * again when an id is learned and every second while they are young, and given up after three days.
 */
import type { Report } from '../channels/channel.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';

export interface Arrived {
  connection_id: string;
  report: Report;
}

export const KEPT = '72 hours';

export async function keepUnmatched(tx: Tx, arrived: readonly Arrived[]): Promise<void> {
  if (arrived.length === 0) return;
  await tx.run(sql`
    insert into unmatched_reports (id, connection_id, external_id, number, report)
    select * from unnest(
      ${arrived.map(() => newId())}::uuid[], ${arrived.map(({ connection_id }) => connection_id)}::uuid[],
      ${arrived.map(({ report }) => report.external_id)}::text[], ${arrived.map(({ report }) => report.number)}::text[],
      ${arrived.map(({ report }) => JSON.stringify(report))}::jsonb[])`);
}

/** Takes out those whose id is known by now, of the last `age`. */
export const takeMatchable = (tx: Tx, age: string, most: number): Promise<Arrived[]> =>
  tx.rows<Arrived>(sql`
    delete from unmatched_reports u using (
      select w.id from unmatched_reports w
      where w.create_date > now() - ${age}::interval and w.external_id <> ''
        and exists (select from submissions s where s.connection_id = w.connection_id and s.external_id = w.external_id)
      order by w.create_date limit ${most} for update skip locked
    ) known
    where u.id = known.id
    returning u.connection_id, u.report`);

export const pruneUnmatched = (db: Db, most: number) =>
  db.run(sql`
    delete from unmatched_reports where id in (
      select id from unmatched_reports where create_date < now() - ${KEPT}::interval order by create_date limit ${most})`);

const listeners = new Set<() => void>();

/** Called when an id was learned that a kept report has been waiting for. */
export function onMatchable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceMatchable(tx: Tx): void {
  tx.afterCommit(() => {
    for (const listener of listeners) listener();
  });
}

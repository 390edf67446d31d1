/** A claim about the database that must always hold, as a query for whatever breaks it. Read-only; the oracle of tests and of operators alike. */
import type { Queryable, Sql } from './db.ts';
import { sql } from './db.ts';

export interface Check {
  /** Which invariant: M2, P6, E1 ... */
  readonly id: string;
  /** The claim, in words. */
  readonly title: string;
  /** Rows that break it; none when all is well. */
  readonly sql: Sql;
}

export interface Finding {
  id: string;
  title: string;
  ok: boolean;
  /** The first of the offending rows. */
  rows: Record<string, unknown>[];
  ms: number;
}

const SHOWN = 5;

export async function runChecks(db: Queryable, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const started = performance.now();
    const rows = await db.rows(sql`select * from (${check.sql}) broken limit ${SHOWN}`);
    findings.push({
      id: check.id,
      title: check.title,
      ok: rows.length === 0,
      rows,
      ms: Math.round(performance.now() - started),
    });
  }
  return findings;
}

export const eventChecks: readonly Check[] = [
  {
    id: 'E1',
    title: 'Positions of events are unique and never beyond the published one',
    sql: sql`
      select e.account_id, e.id, e.seq from events e, event_position p
      where e.seq > p.seq or e.published_at > p.published_at`,
  },
  {
    id: 'E1',
    title: 'Events are published in the order of their positions',
    sql: sql`
      select * from (
        select seq, published_at, lag(published_at) over (order by seq) as before from events where seq is not null
      ) ordered where before >= published_at`,
  },
  {
    id: 'E2',
    title: 'Every event has a position within a minute',
    // The id carries the time: a UUID version 7 of a minute ago, made comparable.
    sql: sql`
      select account_id, id, type from events
      where seq is null and id < (lpad(to_hex((extract(epoch from now() - interval '1 minute') * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`,
  },
];

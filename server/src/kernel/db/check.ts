/**
 * A database invariant, written as a query for the rows that break it. Tests and the doctor share these read-only
 * checks.
 */
import type { Queryable, Sql } from './db.ts';
import { sql } from './db.ts';

export interface Check {
  /** The invariant's number, such as M2, P6, or E1. */
  readonly id: string;
  /** The invariant as a sentence. */
  readonly title: string;
  /** Selects the rows that break the invariant. */
  readonly sql: Sql;
}

export interface Finding {
  id: string;
  title: string;
  ok: boolean;
  /** The first rows that break the invariant. */
  rows: Record<string, unknown>[];
  ms: number;
}

const MAX_ROWS = 5;

export async function runChecks(db: Queryable, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const started = performance.now();
    // Materialized: otherwise, the planner expects to find a few broken rows soon, and chooses a plan that is slow if
    // there are none.
    const rows = await db.rows(sql`with broken as materialized (${check.sql}) select * from broken limit ${MAX_ROWS}`);
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
    title: 'Event positions are unique and never beyond the published position',
    sql: sql`
      select e.account_id, e.event_id, e.seq from event_positions e, event_position p
      where e.seq > p.seq or e.published_at > p.published_at`,
  },
  {
    id: 'E1',
    title: 'Events are published in the order of their positions',
    sql: sql`
      select * from (
        select seq, published_at, lag(published_at) over (order by seq) as before from event_positions
      ) ordered where before >= published_at`,
  },
  {
    id: 'E1',
    title: 'Every event is in the queue or has one position',
    sql: sql`
      select e.account_id, e.id, e.type, count(p.id) as places
      from events e left join (
        select account_id, event_id as id from event_positions union all select account_id, id from event_queue
      ) p on p.account_id = e.account_id and p.id = e.id
      group by e.account_id, e.id having count(p.id) <> 1`,
  },
  {
    id: 'E2',
    title: 'Every event gets a position within a minute',
    // An id contains its creation time, so events older than a minute are found by comparing ids with a version 7 UUID
    // for that time.
    sql: sql`
      select account_id, id from event_queue
      where id < (lpad(to_hex((extract(epoch from now() - interval '1 minute') * 1000)::bigint), 12,
  '0') || '70008000000000000000')::uuid`,
  },
];

import { type Queryable, raw, sql } from '../kernel/db/db.ts';
import type { StoredEvent } from './bodies.ts';

/** The most positions and payload bytes that one call reads. The first event is always returned. */
const MAX_POSITIONS = 500;
const MAX_BYTES = 1_000_000;

/** The format of cursors. */
const FORMAT = raw(`'YYYY-MM-DD HH24:MI:SS.US'`);

export interface FeedRow extends StoredEvent {
  id: string;
  /** True if the payload is a list, with one payload for each event. */
  many: boolean;
  /** False for events of other types, which have no payload here. */
  is_listed: boolean;
}

/** The next positions of the account, in order. `is_last` is false if there may be more. */
export async function listFeedRows(
  db: Queryable,
  account_id: string,
  after: string,
  types: readonly string[],
): Promise<{ rows: FeedRow[]; is_last: boolean }> {
  const found = await db.rows<FeedRow & { fits: boolean }>(sql`
    with taken as (
      select account_id, event_id, seq, published_at from event_positions
      where account_id = ${account_id} and published_at > ${after}::timestamptz
      order by published_at limit ${MAX_POSITIONS}
    ), sized as (
      select e.account_id, e.id, t.seq, t.published_at, e.type, e.many, e.type = any(${types}::text[]) as is_listed,
        row_number() over w as place,
        sum(case when e.type = any(${types}::text[]) then pg_column_size(e.payload) else 0 end) over w as bytes
      from taken t join events e on e.account_id = t.account_id and e.id = t.event_id
      window w as (order by t.published_at)
    )
    select s.account_id, s.id, s.seq, s.type, s.many, s.is_listed, s.place = 1 or s.bytes <= ${MAX_BYTES} as fits,
      to_char(s.published_at, ${FORMAT}) as published_at,
      case when s.is_listed and (s.place = 1 or s.bytes <= ${MAX_BYTES}) then (
        select e.payload from events e where e.account_id = s.account_id and e.id = s.id) end as payload
    from sized s order by s.place`);
  const rows = found.filter(({ fits }) => fits);
  return { rows, is_last: rows.length === found.length && found.length < MAX_POSITIONS };
}

/**
 * `at` is the position of the latest event. `after` is the given cursor in the same format, or `at`. `is_expired` is
 * true if events after the cursor have been deleted.
 */
export const readFeedPosition = (
  db: Queryable,
  given: string | undefined,
): Promise<{ at: string; after: string; is_expired: boolean }> =>
  db.one(sql`
    select to_char(published_at, ${FORMAT}) as at,
      to_char(coalesce(${given ?? null}::timestamptz, published_at), ${FORMAT}) as after,
      coalesce(${given ?? null}::timestamptz < kept_since, false) as is_expired
    from event_position`);

/**
 * What was said between a sender and a person, in SQL. A message that went on another way is of the conversation it went on in; the way a carrier had before
 * still stands where it was, with the words it had there: the person may have read them.
 */
import { type Sql, sql } from '../kernel/db/db.ts';

export interface Pair {
  account_id: string;
  sender_id: string;
  number: string;
}

const own = ({ account_id, sender_id, number }: Pair): Sql => sql`
  m.account_id = ${account_id} and m.sender_id = ${sender_id} and m.number = ${number}`;

const ways: Sql = sql`
  messages m
  join fallbacks f on f.account_id = m.account_id and f.message_id = m.id and f.handed
  cross join lateral jsonb_array_elements(f.legs) with ordinality as way(leg, n)`;
const earlier = ({ account_id, sender_id, number }: Pair): Sql => sql`
  m.account_id = ${account_id} and m.sender_id <> ${sender_id} and m.number = ${number}
  and way.leg->>'sender_id' = ${sender_id} and way.leg->>'handed' is not null and way.n <> f.current + 1`;

/** To where it went on, and why. */
const passedOn: Sql = sql`
  jsonb_build_object('reason', coalesce(way.leg->>'reason', ''), 'channel', coalesce(
    (select l.leg->>'channel' from jsonb_array_elements(f.legs) with ordinality as l(leg, n)
     where l.n > way.n and l.leg->>'state' in ('in_effect', 'passed_on') order by l.n limit 1), m.channel))`;

/** Rows of `messages` with `passed_on`: at least the latest `most` of those before `before`, in no order. */
export const threadRows = (pair: Pair, before: string | null, most: number): Sql => {
  const page = sql`${before === null ? sql`` : sql`and m.id < ${before}::uuid`} order by m.id desc limit ${most}`;
  return sql`
    (select m.*, null::jsonb as passed_on from messages m where ${own(pair)} ${page})
    union all
    (select told.*, ${passedOn}
     from ${ways}
     cross join lateral jsonb_populate_record(m, way.leg || jsonb_build_object('failure', null, 'carrier_code', null, 'status_details',
       case when way.leg->>'status' not in ('sent', 'delivered', 'read') then way.leg->>'reason' end)) told
     where ${earlier(pair)} ${page})`;
};

export const threadIds = (pair: Pair): Sql => sql`
  select m.id, m.create_date from messages m where ${own(pair)}
  union all
  select m.id, m.create_date from ${ways} where ${earlier(pair)}`;

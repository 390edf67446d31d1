import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { type Sql, sql } from '../kernel/db/db.ts';

/** Of a row with these two columns: it has no other ways, so that its status says all there is to say. */
export const hasOneWay = (account_id: Sql, message_id: Sql): Sql =>
  sql`not exists (select from fallbacks f where f.account_id = ${account_id} and f.message_id = ${message_id})`;

const PAID_LATE = ALL_CHANNELS.filter(({ charged_at }) => charged_at === 'delivered').map(({ name }) => name);
/** `m` the message, `leg` what is in effect. */
const ORDERS = sql`
  fallbacks f join messages m on m.account_id = f.account_id and m.id = f.message_id
  cross join lateral (select f.legs->f.current::int as leg) current`;
const waits = sql`exists (select from jsonb_array_elements(f.legs) l where l->>'state' = 'waiting')`;
const queued = sql`(leg->>'state' = 'in_effect' and leg->>'status' in ('scheduled', 'enroute'))`;

export const legChecks: readonly Check[] = [
  {
    id: 'M5',
    title: 'With fallbacks money is held while another way may follow or the present one may still cost something',
    sql: sql`
      select f.account_id, f.message_id, m.charge, f.legs from ${ORDERS}
      where (${waits} or ${queued} or (leg->>'state' = 'in_effect' and leg->>'status' = 'sent' and leg->>'channel' = any(${PAID_LATE}::text[])))
            <> (m.charge = 'held')`,
  },
  {
    id: 'M6',
    title: 'With fallbacks the dearest way that has to be paid is charged, and nothing where none has',
    sql: sql`
      select f.account_id, f.message_id, m.charge, m.price_micros, paid.price
      from fallbacks f join messages m on m.account_id = f.account_id and m.id = f.message_id
      cross join lateral (
        select max((l->>'price_micros')::bigint) as price from jsonb_array_elements(f.legs) l where (l->>'paid')::boolean
      ) paid
      where (m.charge = 'settled' and m.price_micros is distinct from paid.price) or (m.charge = 'released' and paid.price is not null)`,
  },
  {
    id: 'P3',
    title: 'With fallbacks the way in effect is in the queue until it has left, and never after',
    sql: sql`
      select f.account_id, f.message_id, m.status, f.legs, d.stage from ${ORDERS}
      left join dispatch d on d.account_id = f.account_id and d.message_id = f.message_id
      where ${queued} <> (d.message_id is not null)`,
  },
  {
    id: 'D1',
    title: 'A message with fallbacks is what its way in effect is, and its timeline knows its status',
    sql: sql`
      select f.account_id, f.message_id, m.channel, m.status, leg from ${ORDERS}
      where m.channel <> leg->>'channel' or m.sender_id::text <> leg->>'sender_id' or m.text <> leg->>'text'
         or not exists (select from jsonb_array_elements(m.timeline) entry where entry->>'status' = m.status)`,
  },
  {
    id: 'D5',
    title: 'What is due to be passed on is passed on',
    sql: sql`
      select f.account_id, f.message_id, f.due_date from fallbacks f
      where f.due_date < now() - interval '5 minutes' and exists (select from workers where lease_until > now())
        -- What a carrier may have already is settled by evidence first.
        and not exists (select from dispatch d where d.account_id = f.account_id and d.message_id = f.message_id and d.stage = 'submitting')`,
  },
];

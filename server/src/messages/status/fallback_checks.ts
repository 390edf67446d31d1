import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { Check } from '../../kernel/db/check.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

/** True if a row with these two columns has no fallbacks, so that its status alone is conclusive. */
export const hasNoFallbacks = (account_id: Sql, message_id: Sql): Sql =>
  sql`not exists (select from fallbacks f where f.account_id = ${account_id} and f.message_id = ${message_id})`;

const CHARGED_ON_DELIVERY = ALL_CHANNELS.filter(({ charged_at }) => charged_at === 'delivered').map(({ name }) => name);
/** `m` is the message, and `step` is the step in effect. */
const PLANS = sql`
  fallbacks f join messages m on m.account_id = f.account_id and m.id = f.message_id
  cross join lateral (select f.steps->f.current::int as step) current`;
const isWaiting = sql`exists (select from jsonb_array_elements(f.steps) l where l->>'state' = 'waiting')`;
const isQueued = sql`(step->>'state' = 'in_effect' and step->>'status' in ('scheduled', 'enroute'))`;

export const fallbackChecks: readonly Check[] = [
  {
    id: 'M5',
    title: 'Fallbacks: funds are held while another step can start or the current step can still be charged',
    sql: sql`
      select f.account_id, f.message_id, m.charge, f.steps from ${PLANS}
      where (${isWaiting} or ${isQueued} or (step->>'state' = 'in_effect' and step->>'status' = 'sent'
        and step->>'channel' = any(${CHARGED_ON_DELIVERY}::text[])))
            <> (m.charge = 'held')
        -- A report about a step that was given up does not reopen the hold.
        and not (m.charge <> 'held' and m.timeline @> '[{"status": "failed"}]')`,
  },
  {
    id: 'M6',
    title: 'Fallbacks: the most expensive charged step is settled, or everything is released',
    sql: sql`
      select f.account_id, f.message_id, m.charge, m.price_micros, paid.price
      from fallbacks f join messages m on m.account_id = f.account_id and m.id = f.message_id
      cross join lateral (
        select max((l->>'price_micros')::bigint) as price from jsonb_array_elements(f.steps) l
        where (l->>'paid')::boolean
      ) paid
      where (m.charge = 'settled' and m.price_micros is distinct from paid.price)
        or (m.charge = 'released' and paid.price is not null)`,
  },
  {
    id: 'P3',
    title: 'Fallbacks: the step in effect stays in the queue until it is sent, and no longer',
    sql: sql`
      select f.account_id, f.message_id, m.status, f.steps, d.stage from ${PLANS}
      left join dispatch d on d.account_id = f.account_id and d.message_id = f.message_id
      where ${isQueued} <> (d.message_id is not null)`,
  },
  {
    id: 'D1',
    title: 'Fallbacks: the message matches its step in effect, and its timeline contains its status',
    sql: sql`
      select f.account_id, f.message_id, m.channel, m.status, step from ${PLANS}
      where m.channel <> step->>'channel' or m.sender_id::text <> step->>'sender_id' or m.text <> step->>'text'
         or not exists (select from jsonb_array_elements(m.timeline) entry where entry->>'status' = m.status)`,
  },
  {
    id: 'D5',
    title: 'Fallbacks: due messages move on to the next step',
    sql: sql`
      select f.account_id, f.message_id, f.due_date from fallbacks f
      where f.due_date < now() - interval '5 minutes' and exists (select from workers where lease_until > now())
        -- Evidence settles ambiguous submissions first.
        and not exists (select from dispatch d where d.account_id = f.account_id and d.message_id = f.message_id
          and d.stage = 'submitting')`,
  },
];

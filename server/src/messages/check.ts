import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';
import { hasNoFallbacks } from './status/fallback_checks.ts';

/** Statuses grouped by queue state and charge, following RANK in contract/messages. */
const QUEUED = sql`('scheduled', 'enroute')`;
const TAKEN = sql`('sent', 'delivered', 'read')`;
/** The channels that charge on delivery rather than when the carrier accepts the message. */
const CHANNELS_CHARGED_LATE = ALL_CHANNELS.filter(({ charged_at }) => charged_at === 'delivered').map(
  ({ name }) => name,
);
const CHARGED_ON_DELIVERY = sql`channel = any(${CHANNELS_CHARGED_LATE}::text[])`;

/** True if the message was given up and the carrier later reported that it has the message. */
const REOPENED = sql`(charge = 'released'
  and (timeline @> '[{"status": "failed"}]' or timeline @> '[{"status": "expired"}]'))`;

/** Messages with fallbacks have their own checks in status/fallback_checks.ts. */
const NO_FALLBACKS = hasNoFallbacks(sql`messages.account_id`, sql`messages.id`);

export const messageChecks: readonly Check[] = [
  {
    id: 'M4',
    title: 'The amount of an open hold is the total price of its held messages',
    sql: sql`
      select h.account_id, h.id, h.open_micros, coalesce(m.held, 0) as held
      from holds h left join (
        select account_id, hold_id, sum(price_micros) as held from messages where charge = 'held'
        group by account_id, hold_id
      ) m on m.account_id = h.account_id and m.hold_id = h.id
      where h.purpose = 'messages' and h.open_micros <> coalesce(m.held, 0)`,
  },
  {
    id: 'M5',
    title: 'Every message sent through Parley has a hold, and all others have none',
    sql: sql`
      select m.account_id, m.id, m.direction, m.charge, m.hold_id
      from messages m left join holds h on h.account_id = m.account_id and h.id = m.hold_id
      where (m.direction = 'MT' and m.source <> 'phone_app') <> (h.id is not null)
         or (m.direction = 'MO' or m.source = 'phone_app') <> (m.charge = 'none')`,
  },
  {
    id: 'M5',
    title: 'Funds are held for messages in transit, and for no others',
    sql: sql`
      select account_id, id, channel, status, charge from messages
      where direction = 'MT' and charge <> 'none' and ${NO_FALLBACKS}
        and (status in ${QUEUED} or (status = 'sent' and ${CHARGED_ON_DELIVERY} and not ${REOPENED}))
          <> (charge = 'held')`,
  },
  {
    id: 'M6',
    title: 'The settled and released amounts of a hold match its messages',
    sql: sql`
      select l.account_id, l.hold_id, l.settled, l.released, m.settled as messages_settled,
        m.released as messages_released
      from (
        select account_id, hold_id,
               coalesce(sum(amount_micros) filter (where kind in ('settle', 'resettle')), 0) as settled,
               coalesce(sum(case kind when 'release' then amount_micros when 'resettle' then -amount_micros end),
                 0) as released
        from ledger where hold_id is not null group by account_id, hold_id
      ) l
      left join (
        select account_id, hold_id, coalesce(sum(price_micros) filter (where charge = 'settled'), 0) as settled,
               coalesce(sum(price_micros) filter (where charge = 'released'), 0) as released
        from messages where hold_id is not null group by account_id, hold_id
      ) m using (account_id, hold_id)
      where (l.settled <> coalesce(m.settled, 0) or l.released < coalesce(m.released, 0))
        and not exists (select 1 from holds h where h.account_id = l.account_id and h.id = l.hold_id
          and h.purpose = 'lookups')`,
  },
  {
    id: 'M6',
    title:
      'Accepted messages are settled, or released after the final failure; canceled and blocked messages are released',
    sql: sql`
      select account_id, id, channel, status, charge from messages
      where ${NO_FALLBACKS}
        and charge <> 'none' and ((status in ${TAKEN} and charge not in ('settled', 'released')
          and not (status = 'sent' and ${CHARGED_ON_DELIVERY}))
         or (status = 'sent' and charge <> 'settled' and not ${CHARGED_ON_DELIVERY})
         or (status in ('canceled', 'blocked') and charge <> 'released'))`,
  },
  {
    id: 'M6',
    title: 'Every late charge has a released hold',
    sql: sql`
      select account_id, hold_id, sum(amount_micros) filter (where kind = 'resettle') as resettled,
             coalesce(sum(amount_micros) filter (where kind = 'release'), 0) as released
      from ledger where hold_id is not null group by account_id, hold_id
      having sum(amount_micros) filter (where kind = 'resettle')
             > coalesce(sum(amount_micros) filter (where kind = 'release'), 0)`,
  },
  {
    id: 'P3',
    title: 'Every unsent message is in the queue',
    sql: sql`
      select m.account_id, m.id, m.status, m.create_date from messages m
      where m.status in ${QUEUED} and m.direction = 'MT'
        and not exists (select 1 from dispatch d where d.account_id = m.account_id and d.message_id = m.id)`,
  },
  {
    id: 'P3',
    title: 'Only unsent messages are in the queue',
    sql: sql`
      select d.account_id, d.message_id, d.stage, m.status
      from dispatch d left join messages m on m.account_id = d.account_id and m.id = d.message_id
      where m.id is null or (m.status not in ${QUEUED} and ${hasNoFallbacks(sql`m.account_id`, sql`m.id`)})`,
  },
  {
    id: 'P3',
    title: 'No message stays in the queue long after it has expired',
    sql: sql`
      select account_id, message_id, stage, expire_date from dispatch
      where expire_date < now() - interval '15 minutes'`,
  },
  {
    id: 'G4',
    title: 'Every message awaiting review is in the operators’ queue, and no others are',
    sql: sql`
      select coalesce(d.account_id, r.account_id) as account_id, coalesce(d.message_id, r.message_id) as message_id,
        d.stage, r.state
      from (select * from dispatch where stage = 'review') d
      full join (select * from message_reviews where state = 'waiting') r
        on r.account_id = d.account_id and r.message_id = d.message_id
      where d.message_id is null or r.message_id is null`,
  },
  {
    id: 'D1',
    title: 'The status of a message matches its last timeline entry that was not late',
    sql: sql`
      select m.account_id, m.id, m.status, last.status as last_status
      from messages m cross join lateral (
        select entry.value->>'status' as status
        from jsonb_array_elements(m.timeline) with ordinality as entry(value, place)
        where not coalesce((entry.value->>'late')::boolean, false)
        order by place desc limit 1
      ) last
      where last.status <> m.status and ${hasNoFallbacks(sql`m.account_id`, sql`m.id`)}`,
  },
];

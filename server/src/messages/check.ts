import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';
import { hasOneWay } from './leg_check.ts';

// Statuses by what they mean for queue and money, as RANK in contract/messages.ts has them.
const WAITING = sql`('scheduled', 'enroute')`;
const ACCEPTED = sql`('sent', 'delivered', 'read')`;
/** Of `messages`: where only what arrives is paid for. */
const PAID_LATE = sql`channel = any(${ALL_CHANNELS.filter(({ charged_at }) => charged_at === 'delivered').map(({ name }) => name)}::text[])`;

/** What messages with fallbacks are asked instead stands in leg_check.ts. */
const ONE_WAY = hasOneWay(sql`messages.account_id`, sql`messages.id`);

export const messageChecks: readonly Check[] = [
  {
    id: 'M4',
    title: 'An open hold is the sum of the messages it is held for',
    sql: sql`
      select h.account_id, h.id, h.open_micros, coalesce(m.held, 0) as held
      from holds h left join (
        select account_id, hold_id, sum(price_micros) as held from messages where charge = 'held' group by account_id, hold_id
      ) m on m.account_id = h.account_id and m.hold_id = h.id
      where h.open_micros <> coalesce(m.held, 0)`,
  },
  {
    id: 'M5',
    title: 'Every message sent out has a hold, and no message received has',
    sql: sql`
      select m.account_id, m.id, m.direction, m.charge, m.hold_id
      from messages m left join holds h on h.account_id = m.account_id and h.id = m.hold_id
      where (m.direction = 'MT') <> (h.id is not null) or (m.direction = 'MO') <> (m.charge = 'none')`,
  },
  {
    id: 'M5',
    title: 'Money is held for messages on their way, and for no others',
    sql: sql`
      select account_id, id, channel, status, charge from messages
      where direction = 'MT' and ${ONE_WAY} and (status in ${WAITING} or (status = 'sent' and ${PAID_LATE})) <> (charge = 'held')`,
  },
  {
    id: 'M6',
    title: 'Every hold was settled and released for exactly what its messages say',
    sql: sql`
      select l.account_id, l.hold_id, l.settled, l.released, m.settled as messages_settled, m.released as messages_released
      from (
        select account_id, hold_id, coalesce(sum(amount_micros) filter (where kind = 'settle'), 0) as settled,
               coalesce(sum(amount_micros) filter (where kind = 'release'), 0) as released
        from ledger where hold_id is not null group by account_id, hold_id
      ) l
      left join (
        select account_id, hold_id, coalesce(sum(price_micros) filter (where charge = 'settled'), 0) as settled,
               coalesce(sum(price_micros) filter (where charge = 'released'), 0) as released
        from messages where hold_id is not null group by account_id, hold_id
      ) m using (account_id, hold_id)
      where l.settled <> coalesce(m.settled, 0) or l.released < coalesce(m.released, 0)`,
  },
  {
    id: 'M6',
    title:
      'What a carrier took and kept is settled or, after we had given up, released; what was called off is released',
    sql: sql`
      select account_id, id, channel, status, charge from messages
      where ${ONE_WAY} and ((status in ${ACCEPTED} and charge not in ('settled', 'released') and not (status = 'sent' and ${PAID_LATE}))
         or (status = 'sent' and charge <> 'settled' and not ${PAID_LATE})
         or (status in ('canceled', 'blocked') and charge <> 'released'))`,
  },
  {
    id: 'P3',
    title: 'Every message on its way is in the queue',
    sql: sql`
      select m.account_id, m.id, m.status, m.create_date from messages m
      where m.status in ${WAITING} and m.direction = 'MT'
        and not exists (select 1 from dispatch d where d.account_id = m.account_id and d.message_id = m.id)`,
  },
  {
    id: 'P3',
    title: 'Nothing else is in the queue',
    sql: sql`
      select d.account_id, d.message_id, d.stage, m.status
      from dispatch d left join messages m on m.account_id = d.account_id and m.id = d.message_id
      where m.id is null or (m.status not in ${WAITING} and ${hasOneWay(sql`m.account_id`, sql`m.id`)})`,
  },
  {
    id: 'P3',
    title: 'No message waits for long after it has expired',
    sql: sql`
      select account_id, message_id, stage, expire_date from dispatch where expire_date < now() - interval '15 minutes'`,
  },
  {
    id: 'D1',
    title: 'The last status in the timeline that was not late is the status',
    sql: sql`
      select m.account_id, m.id, m.status, told.status as told
      from messages m cross join lateral (
        select entry.value->>'status' as status
        from jsonb_array_elements(m.timeline) with ordinality as entry(value, place)
        where not coalesce((entry.value->>'late')::boolean, false)
        order by place desc limit 1
      ) told
      where told.status <> m.status and ${hasOneWay(sql`m.account_id`, sql`m.id`)}`,
  },
];

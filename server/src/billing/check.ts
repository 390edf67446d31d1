import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const billingChecks: readonly Check[] = [
  {
    id: 'M2',
    title: 'The balance is the sum of the ledger',
    sql: sql`
      select b.account_id, b.available_micros, b.held_micros, b.frozen_micros, l.available, l.held, l.frozen
      from balances b cross join lateral (
        select coalesce(sum(case when credit = 'available' then amount_micros when debit = 'available'
          then -amount_micros else 0 end), 0) as available,
               coalesce(sum(case when credit = 'held' then amount_micros when debit = 'held' then -amount_micros else 0
                 end), 0) as held,
               coalesce(sum(case when credit = 'frozen' then amount_micros when debit = 'frozen' then -amount_micros
                 else 0 end), 0) as frozen
        from ledger where account_id = b.account_id
      ) l
      where b.available_micros <> l.available or b.held_micros <> l.held or b.frozen_micros <> l.frozen`,
  },
  {
    id: 'M11',
    title: 'The volume of each month is the sum of the messages that count in it',
    sql: sql`
      select account_id, v.id, v.month, v.units, m.counted
      from price_volumes v full join (
        select account_id, volume_id as id, sum(segments_count) as counted from messages
        where volume_id is not null and charge in ('held', 'settled') group by 1, 2
      ) m using (account_id, id)
      where coalesce(v.units, 0) <> coalesce(m.counted, 0)`,
  },
  {
    id: 'M11',
    title: 'The steps of each volume add up to its units',
    sql: sql`
      select v.account_id, v.id, v.month, v.units, s.units as step_units
      from price_volumes v cross join lateral (
        select coalesce(sum(units), 0) as units from price_volume_steps
        where account_id = v.account_id and volume_id = v.id
      ) s
      where v.units <> s.units`,
  },
  {
    id: 'M3',
    title: 'No balance is below its limit by more than its late charges and returned payments',
    sql: sql`
      select account_id, available_micros, held_micros, credit_limit_micros, resettled_micros, reclaimed_micros
      from balances
      where available_micros < -(credit_limit_micros + resettled_micros + reclaimed_micros) or held_micros < 0`,
  },
  {
    id: 'M3',
    title: 'The returned payments of each balance match the ledger',
    sql: sql`
      select b.account_id, b.reclaimed_micros, l.taken_back
      from balances b cross join lateral (
        select coalesce(sum(case kind when 'dispute_won' then -amount_micros else amount_micros end), 0) as taken_back
        from ledger where account_id = b.account_id
          and (kind in ('dispute', 'dispute_won') or (kind = 'payment_refund' and debit = 'available'))
      ) l
      where b.reclaimed_micros <> l.taken_back`,
  },
  {
    id: 'M6',
    title: 'The ledger entries of each payment match its status and its returned amount',
    sql: sql`
      select p.account_id, p.id, p.status, p.amount_micros, p.returned_micros, p.disputed_micros, l.paid, l.frozen,
             l.returned, l.disputed
      from payments p cross join lateral (
        select coalesce(sum(amount_micros) filter (where debit = 'outside' and kind <> 'dispute_won'), 0) as paid,
               coalesce(sum(case when credit = 'frozen' then amount_micros when debit = 'frozen' then -amount_micros
                 end), 0) as frozen,
               coalesce(sum(amount_micros) filter (where kind = 'payment_refund'), 0) as returned,
               coalesce(sum(case kind when 'dispute' then amount_micros when 'dispute_won' then -amount_micros
                 end), 0) as disputed
        from ledger where account_id = p.account_id and payment_id = p.id
      ) l
      where l.paid <> case when p.status in ('PENDING', 'FAILED') then 0 else p.amount_micros end
         or l.returned + l.disputed <> p.returned_micros or l.disputed <> p.disputed_micros
         or l.frozen <> case p.status when 'FROZEN' then p.amount_micros - p.returned_micros else 0 end`,
  },
  {
    id: 'M3',
    title: 'The late charges of each balance match the ledger',
    sql: sql`
      select b.account_id, b.resettled_micros, l.resettled
      from balances b cross join lateral (
        select coalesce(sum(amount_micros), 0) as resettled from ledger
        where account_id = b.account_id and kind = 'resettle'
      ) l
      where b.resettled_micros <> l.resettled`,
  },
  {
    id: 'M4',
    title: 'The held amount is the sum of the open holds',
    sql: sql`
      select b.account_id, b.held_micros, coalesce(h.open, 0) as open
      from balances b left join (select account_id, sum(open_micros) as open from holds
        group by account_id) h using (account_id)
      where b.held_micros <> coalesce(h.open, 0)`,
  },
  {
    id: 'M4',
    title: 'The ledger entries of a hold match its amount and its open amount',
    sql: sql`
      select h.account_id, h.id, h.amount_micros, h.open_micros, l.opened, l.closed
      from holds h left join (
        select account_id, hold_id, sum(amount_micros) filter (where kind = 'hold') as opened,
               coalesce(sum(amount_micros) filter (where kind in ('settle', 'release')), 0) as closed
        from ledger where hold_id is not null group by account_id, hold_id
      ) l on l.account_id = h.account_id and l.hold_id = h.id
      where coalesce(l.opened, 0) <> h.amount_micros or h.amount_micros - h.open_micros <> coalesce(l.closed, 0)`,
  },
  {
    id: 'M10',
    title: 'The income in the margins equals the settled amounts in the ledger',
    sql: sql`
      select coalesce(m.account_id, l.account_id) as account_id, coalesce(m.day, l.day) as day, m.income, l.settled
      from (
        select account_id, day, sum(income_micros) as income from margins
        where day >= (select day from margin_start) group by 1, 2
      ) m full join (
        select l.account_id, (l.create_date at time zone 'UTC')::date as day, sum(l.amount_micros) as settled
        from ledger l join holds h on h.account_id = l.account_id and h.id = l.hold_id and h.purpose = 'messages'
        where l.kind in ('settle', 'resettle')
          and l.create_date >= (select day from margin_start)::timestamp at time zone 'UTC'
        group by 1, 2
      ) l on l.account_id = m.account_id and l.day = m.day
      where coalesce(m.income, 0) <> coalesce(l.settled, 0)`,
  },
];

import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const guardChecks: readonly Check[] = [
  {
    id: 'G1',
    title: 'No limit has counted more than it allows',
    sql: sql`
      select account_id, limit_id, window_start, scope, used, ceiling from limit_counters
      where used > ceiling or used < 0`,
  },
  {
    id: 'G2',
    title: 'Every accepted message of the current interval is counted by the limits of its account and its company',
    // A minute after a change of the limit, every transaction that read the earlier limit has ended.
    sql: sql`
      select l.account_id, l.id, l.counter_id, m.messages, coalesce(c.used, 0) as used
      from (
        select l.*, l.account_id as sender_id, l.account_id as counter_id from limits l
        union all
        select l.*, a.id, case when l.sub_accounts = 'together' and o.limit_id is null then l.account_id else a.id end
        from limits l join accounts a on a.parent_id = l.account_id
        left join limit_overrides o on o.account_id = l.account_id and o.limit_id = l.id and o.sub_account_id = a.id
        where l.sub_accounts <> 'none' and (o.limit_id is null or o."limit" is not null)
      ) l
      cross join lateral (
        select date_trunc(l."interval", now() at time zone 'UTC') at time zone 'UTC' as start) w
      cross join lateral (
        select count(*) as messages from messages m
        where m.account_id = l.sender_id and m.direction = 'MT' and m.source <> 'phone_app'
          and m.create_date >= greatest(w.start, greatest(l.count_date, l.update_date) + interval '1 minute')
          and m.channel = any(l.channels) and (l.countries = '{}' or m.country = any(l.countries))
          and (l.prefixes = '{}' or exists (select from unnest(l.prefixes) p where m.number like p || '%'))
          and not exists (
            select from fallbacks f where f.account_id = m.account_id and f.message_id = m.id)
      ) m
      left join limit_counters c on c.account_id = l.counter_id and c.limit_id = l.id and c.window_start = w.start
        and c.scope = ''
      where l.enabled and l.type = 'messages' and m.messages > coalesce(c.used, 0)`,
  },
  {
    id: 'G3',
    title: 'Every limit that has counted a warning percentage has warned or was reached in its interval',
    // After a change, the count of the interval may be above a percentage without having reached it.
    sql: sql`
      select l.account_id, l.id, c.scope, c.used from limits l
      cross join lateral (
        select date_trunc(l."interval", now() at time zone 'UTC') at time zone 'UTC' as start) w
      join limit_counters c on c.account_id = l.account_id and c.limit_id = l.id and c.window_start = w.start
      where l.enabled and l.update_date < w.start and c.used * 100 >= l.warn_at[1] * l."limit"
        and not exists (
          select from limit_warnings n
          where n.account_id = l.account_id and n.limit_id = l.id and n.window_start = w.start)
        and not exists (
          select from violations v
          where v.account_id = l.account_id and v.limit_id = l.id and v.window_start = w.start)`,
  },
];

-- The message of an entry that is about a single message, for links from the ledger. Null for older entries.
alter table ledger add column message_id uuid;

-- How many units of a volume were priced at each step. Changed with `price_volumes`, in the same statements.
create table price_volume_steps (
  account_id uuid not null,
  volume_id uuid not null,
  -- The units of the month after which the step applies. 0: the price of the price list.
  above_units bigint not null,
  units bigint not null check (units >= 0),
  primary key (account_id, volume_id, above_units)
) with (fillfactor = 50);

insert into price_volume_steps (account_id, volume_id, above_units, units)
select account_id, id, above_units,
       coalesce((select sum(greatest(0, least(m.volume_start + m.segments_count, p.until_units)
                  - greatest(m.volume_start, p.above_units)))
                 from messages m
                 where m.account_id = p.account_id and m.volume_id = p.id and m.charge in ('held', 'settled')), 0)
from (
  select v.account_id, v.id, s.above_units,
         coalesce(lead(s.above_units) over (partition by v.account_id, v.id order by s.above_units),
           9223372036854775807) as until_units
  from price_volumes v cross join lateral (
    select 0::bigint as above_units
    union
    select (step->>'above_units')::bigint from jsonb_array_elements((
      select p.steps from volume_prices p
      where (p.account_id = v.account_id or p.account_id is null) and p.channel = v.channel and p.country = v.country
        and coalesce(p.mccmnc, '') = v.mccmnc and coalesce(p.purpose, '') = v.purpose and p.currency = v.currency
        and p.month <= v.month
      order by p.account_id nulls last, p.month desc limit 1)) step
  ) s
) p;

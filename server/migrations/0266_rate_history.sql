alter table price_revision
  -- From when on `price_changes` has every change. Prices from before the upgrade get no rows.
  add column history_date timestamptz not null default now();

alter table price_changes
  -- The order in which the changes took effect.
  add column number bigint generated always as identity,
  -- Null: the list price. Otherwise the price of this account.
  add column account_id uuid,
  -- For a price of an account, the list price of the same destination at the time.
  add column list_micros bigint,
  -- Null: changed in SQL.
  alter column user_id drop not null,
  alter column user_name set default '';

create unique index price_changes_number on price_changes (number);
create index price_changes_account on price_changes (account_id, number) where account_id is not null;
create index price_changes_list on price_changes (currency, number) where account_id is null;
create index price_changes_key on price_changes
  (account_id, channel, country, currency, coalesce(mccmnc, ''), coalesce(purpose, ''), number);

-- Records the change of a price. The setting `parley.price_change` of the transaction says who changes prices, when,
-- and by which import. Without it, the change was made in SQL.
create function record_price_change() returns trigger language plpgsql as
$function$
declare
  act jsonb := nullif(current_setting('parley.price_change', true), '')::jsonb;
  same_key boolean;
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'truncate would leave a gap in the history of prices; delete the rows instead';
  end if;
  same_key := tg_op = 'UPDATE' and (old.account_id, old.channel, old.country, old.mccmnc, old.purpose, old.currency)
    is not distinct from (new.account_id, new.channel, new.country, new.mccmnc, new.purpose, new.currency);
  insert into price_changes (id, import_id, user_id, user_name, account_id, channel, country, mccmnc, purpose, currency,
                             before_micros, after_micros, list_micros, create_date)
  select gen_random_uuid(), (act->>'import_id')::uuid, (act->>'user_id')::uuid, coalesce(act->>'user_name', ''), c.*,
         (select l.price_micros from rates l
          where c.account_id is not null and l.account_id is null and l.channel = c.channel and l.country = c.country
            and l.currency = c.currency and l.mccmnc is not distinct from c.mccmnc
            and l.purpose is not distinct from c.purpose),
         coalesce((act->>'date')::timestamptz, clock_timestamp())
  from (
    select old.account_id, old.channel, old.country, old.mccmnc, old.purpose, old.currency,
           old.price_micros as before_micros, null::bigint as after_micros
    where tg_op <> 'INSERT' and not same_key
    union all
    select new.account_id, new.channel, new.country, new.mccmnc, new.purpose, new.currency,
           case when same_key then old.price_micros end, new.price_micros
    where tg_op <> 'DELETE' and (not same_key or old.price_micros <> new.price_micros)) c;
  return null;
end
$function$;

create trigger rates_recorded after insert or update or delete on rates
  for each row execute function record_price_change();
create trigger rates_truncated before truncate on rates for each statement execute function record_price_change();

-- Processes of the previous release add rows themselves. The trigger has already recorded these changes.
create function skip_insert() returns trigger language plpgsql as $function$begin return null; end$function$;
create trigger price_changes_recorded_once before insert on price_changes
  for each row when (pg_trigger_depth() = 0) execute function skip_insert();

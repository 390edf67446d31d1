-- Fields can have texts that look like dates and are none, such as values of an earlier field with the same key.
create function existing_date(value text) returns date language sql immutable parallel safe return
  case when value ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' and value >= '0001' then
    case when right(value, 2)::int <= extract(day from
      make_date(left(value, 4)::int, substr(value, 6, 2)::int, 1) + interval '1 month' - interval '1 day')
    then make_date(left(value, 4)::int, substr(value, 6, 2)::int, right(value, 2)::int) end
  end;

create or replace function keep_person_dates() returns trigger language plpgsql set enable_hashjoin to 'off' set
  enable_mergejoin to 'off' set enable_seqscan to 'off' as $function$
begin
  if not exists (select from changed where fields <> '{}') and (tg_op = 'INSERT') then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from person_dates d using changed n
    where d.account_id = n.account_id and d.person_id = n.id and n.fields ->> d.key is distinct from d.date::text;
  end if;
  insert into person_dates (account_id, person_id, key, date)
  select n.account_id, n.id, f.key, d.date
  from changed n
  join contact_fields f on f.account_id = n.account_id and f.kind = 'date'
  cross join lateral (select existing_date(n.fields ->> f.key) as date) d
  where d.date is not null
  on conflict (account_id, person_id, key) do update set date = excluded.date where person_dates.date <> excluded.date;
  return null;
end $function$;

-- no transaction
create unique index concurrently if not exists account_code_stops_active on account_code_stops
  (account_id, traffic, place) where lift_date is null;
drop index concurrently if exists account_code_stops_open;

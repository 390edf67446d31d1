-- no transaction
create index concurrently if not exists account_code_stops_expiring on account_code_stops (stop_date)
  where lift_date is null;
create index concurrently if not exists account_code_stops_recent on account_code_stops (account_id, stop_date);

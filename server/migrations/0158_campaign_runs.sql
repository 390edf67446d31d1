-- no transaction
-- Each run of a repeating campaign starts once.
create unique index concurrently if not exists campaigns_runs on campaigns (account_id, series_id, run_date)
  where series_id is not null;

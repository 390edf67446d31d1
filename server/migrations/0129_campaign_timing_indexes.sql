-- no transaction
-- The scheduled campaigns by the time when they start.
create index concurrently if not exists campaigns_due_date on campaigns ((coalesce(due_date, schedule)))
  where status = 'scheduled';

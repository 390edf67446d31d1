-- Bulk jobs: one action for many rows of a list. `actor` is the caller, with whose rights the rows are changed.
create table bulk_jobs (
  account_id uuid not null,
  id uuid not null,
  action text not null,
  params jsonb not null,
  filter jsonb not null,
  actor jsonb not null,
  user_id uuid,
  status text not null check (status in ('pending', 'running', 'completed', 'canceled', 'failed')),
  -- Rows created after this moment are left out.
  selection_date timestamptz not null,
  -- Null until the rows have been stored in bulk_job_rows.
  total_rows integer,
  -- The number of rows that are finished. It changes in the transaction that changes the row.
  position integer not null default 0,
  done_count integer not null default 0,
  refused_count integer not null default 0,
  -- The number of refused rows by problem code.
  reasons jsonb not null default '{}',
  error_message text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index bulk_jobs_users on bulk_jobs (account_id, user_id, id);
create index bulk_jobs_unfinished on bulk_jobs (update_date) where status in ('pending', 'running');
create index bulk_jobs_ended on bulk_jobs (update_date) where status in ('completed', 'canceled', 'failed');

-- The rows that a bulk job changes, in their order. Deleted when the job ends.
create table bulk_job_rows (
  account_id uuid not null,
  job_id uuid not null,
  position integer not null,
  row_id uuid not null,
  primary key (account_id, job_id, position)
);

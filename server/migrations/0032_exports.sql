-- Exports: files with the rows of a list, written by a job. `actor` is the caller, with whose rights the list is read.
create table exports (
  account_id uuid not null,
  id uuid not null,
  list text not null,
  params jsonb not null,
  filter jsonb not null,
  sort text,
  columns jsonb,
  format text not null check (format in ('csv', 'xlsx')),
  filename text not null,
  status text not null check (status in ('PENDING', 'IN_PROGRESS', 'COMPLETED')),
  actor jsonb not null,
  user_id uuid,
  -- The run that writes the file. A run that lost the export to a newer one cannot complete it.
  run_id uuid,
  -- Stored before the file is written, so that no file is ever left behind without a row.
  storage_key text,
  attempts integer not null default 0,
  rows_count integer not null default 0,
  total_rows integer,
  bytes bigint,
  error_message text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  expire_date timestamptz not null,
  -- Set when the export is deleted. The row is kept until its file has been removed.
  remove_date timestamptz,
  primary key (account_id, id)
);
create index exports_due on exports (expire_date);
create index exports_removed on exports (remove_date) where remove_date is not null;
create index exports_unfinished on exports (update_date) where status <> 'COMPLETED';

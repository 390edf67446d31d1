-- Campaigns to the contacts of a file. The campaign stays a draft until the import is completed, and then starts.
create table campaign_imports (
  account_id uuid not null references accounts(id),
  id uuid not null,
  campaign_id uuid not null,
  import_id uuid not null,
  status text not null check (status in ('importing', 'started', 'failed')),
  error_code integer,
  error_message text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index campaign_imports_open on campaign_imports (create_date) where status = 'importing';

-- SFTP servers of customers that receive the files of scheduled exports.
create table export_destinations (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text not null,
  auth text not null check (auth in ('password', 'private_key')),
  -- The sealed password or private key.
  secret text not null,
  -- The key that a user has accepted. Nothing is sent to a server with another key.
  host_key_type text not null,
  host_key_fingerprint text not null,
  folder text not null,
  -- Placeholders: contract/src/exports/destinations.ts.
  file_name text not null,
  status text not null default 'active' check (status in ('active', 'failing', 'disabled')),
  error_message text,
  failing_since timestamptz,
  last_file text,
  last_upload_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);

-- Files that wait for their upload or are being uploaded. A finished upload has no row.
create table export_uploads (
  account_id uuid not null,
  export_id uuid not null,
  destination_id uuid not null,
  -- The run that uploads the file under a temporary name. The next run removes what a killed run has left.
  run_id uuid,
  tries integer not null default 0,
  -- The next attempt, or the end of the lease of the run. Null while the destination is disabled.
  next_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, export_id)
);
create index export_uploads_of_destination on export_uploads (account_id, destination_id);
create index export_uploads_due on export_uploads (next_date) where next_date is not null;

-- The destination of the files; null for links by email.
alter table export_schedules add column destination_id uuid;

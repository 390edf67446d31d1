-- Exports as JSON Lines, and with times in a zone of the user's choice.
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('csv', 'xlsx', 'jsonl'));
alter table exports add column time_zone text not null default 'UTC';

-- Scheduled exports. A job starts those that are due, with the rights that their user has at that time.
create table export_schedules (
  account_id uuid not null,
  id uuid not null,
  list text not null,
  params jsonb not null,
  filter jsonb not null,
  sort text,
  columns jsonb,
  format text not null,
  interval text not null check (interval in ('daily', 'weekly')),
  time_zone text not null,
  actor jsonb not null,
  user_id uuid not null,
  next_date timestamptz not null,
  last_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index export_schedules_due on export_schedules (next_date);

-- The schedule that started the export. Its user receives the link.
alter table exports add column schedule_id uuid;

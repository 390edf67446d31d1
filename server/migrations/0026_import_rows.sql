-- The rows of an import that were refused or shortened, for its page. The first ones of each kind are stored.

alter table audience_imports add column shortened_count integer not null default 0;

create table import_rows (
  account_id uuid not null,
  import_id uuid not null,
  line integer not null,
  kind text not null check (kind in ('invalid', 'duplicate', 'shortened')),
  reason text not null,
  cells jsonb not null,
  primary key (account_id, import_id, line)
);

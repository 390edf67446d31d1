-- Saved views of the lists. A view belongs to the user who saved it; a shared one is visible to the whole account.
create table saved_views (
  account_id uuid not null references accounts(id),
  id uuid not null,
  user_id uuid not null,
  list text not null,
  name text not null,
  shared boolean not null default false,
  -- {filters, sort, columns}. Shape: contract/src/views/views.ts.
  state jsonb not null,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index saved_views_name on saved_views (account_id, user_id, list, lower(name));
create index saved_views_shared on saved_views (account_id, list) where shared;

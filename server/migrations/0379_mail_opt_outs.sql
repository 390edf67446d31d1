-- Users who stopped the emails of a kind. The digest of the inbox has no row here: to stop it, its settings are
-- deleted.
create table mail_opt_outs (
  account_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('mentions')),
  create_date timestamptz not null default now(),
  primary key (account_id, user_id, kind)
);

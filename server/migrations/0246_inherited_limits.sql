-- Limits and country lists of a company that also apply to its sub-accounts, and their overrides.
alter table limits
  add column sub_accounts text not null default 'none' check (sub_accounts in ('none', 'each', 'together'));

-- The account of an inherited limit. Null: the limit is the account's own.
alter table violations add column limit_account_id uuid;
alter table limit_warnings add column limit_account_id uuid;

-- What a limit of a company allows one of its sub-accounts instead.
create table limit_overrides (
  -- The company.
  account_id uuid not null,
  limit_id uuid not null,
  sub_account_id uuid not null,
  -- Null: the limit does not apply to the sub-account.
  "limit" bigint check ("limit" > 0),
  update_date timestamptz not null default now(),
  primary key (account_id, limit_id, sub_account_id)
);

alter table country_blacklists
  -- Whether the blocked and the allowed countries also apply to the sub-accounts.
  add column sub_accounts boolean not null default false,
  add column allowed_sub_accounts boolean not null default false;

-- Countries that the inherited lists do not block for one sub-account.
create table country_exceptions (
  -- The company.
  account_id uuid not null,
  sub_account_id uuid not null,
  countries text[] not null,
  update_date timestamptz not null default now(),
  primary key (account_id, sub_account_id)
);

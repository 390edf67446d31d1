-- Texts that users insert into their replies. A response belongs to the user who saved it; a shared one is visible to
-- the whole account.
create table responses (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  text text not null,
  shared boolean not null default false,
  usage_count integer not null default 0,
  last_use_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index responses_name on responses (account_id, user_id, lower(name));
create index responses_shared on responses (account_id) where shared;

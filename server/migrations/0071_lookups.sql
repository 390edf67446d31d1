-- Lookups of phone numbers.
create table number_lookups (
  account_id uuid not null,
  id uuid not null,
  bulk_id uuid,
  number text not null,
  country text not null,
  -- `sent`: the provider has the number, and its result is not there yet.
  status text not null check (status in ('pending', 'sent', 'good', 'bad', 'landline', 'unknown')),
  is_live boolean not null,
  live_status text,
  network text,
  operator text,
  line_type text,
  ported boolean,
  mccmnc text,
  provider text not null,
  price_micros bigint not null,
  currency text not null,
  charged boolean not null default false,
  hold_id uuid,
  -- The request to the provider that contains the number.
  batch_id uuid,
  sent_date timestamptz,
  result_date timestamptz,
  is_cached boolean not null default false,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index number_lookups_number on number_lookups (account_id, number, result_date desc);
create index number_lookups_bulk on number_lookups (account_id, bulk_id, status, id) where bulk_id is not null;
create index number_lookups_batch on number_lookups (account_id, batch_id) where status = 'sent';

create table bulk_lookups (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  audience_id uuid,
  status text not null check (status in ('in_progress', 'paused', 'completed')),
  total integer not null,
  done integer not null default 0,
  invalid integer not null default 0,
  good integer not null default 0,
  bad integer not null default 0,
  landline integer not null default 0,
  unknown integer not null default 0,
  ported integer not null default 0,
  cost_micros bigint not null default 0,
  currency text not null,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);

-- What a hold is for. The holds of lookups have no messages.
alter table holds add column purpose text not null default 'messages';

-- Stops of all traffic share the table of the stops of codes.
alter table account_code_stops
  -- What is stopped: verification codes, other single messages, or messages of campaigns.
  add column traffic text not null default 'codes' check (traffic in ('codes', 'messages', 'campaigns'));

-- Batches of accepted messages that are not counted in traffic_counts yet. The gate adds them in the transaction that
-- accepts the messages, and a worker deletes them in the transaction that counts the messages.
create table traffic_batches (
  account_id uuid not null,
  -- The hold of the messages, and the lowest and highest of their IDs.
  hold_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  traffic text not null check (traffic in ('messages', 'campaigns')),
  primary key (account_id, hold_id)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- The messages of an account by hour and destination, without verification codes.
create table traffic_counts (
  account_id uuid not null,
  kind text not null check (kind in ('account', 'country', 'range')),
  -- The first digits of the numbers, or the country. Empty for the whole account.
  place text not null,
  -- Of the messages. Empty for the whole account.
  country text not null default '',
  hour timestamptz not null,
  traffic text not null check (traffic in ('messages', 'campaigns')),
  sent integer not null default 0,
  -- Counted once, some minutes after the hour: messages with an outcome, those that were delivered, and those that
  -- people answered or whose link they opened. Null until then.
  outcomes integer,
  delivered integer,
  responded integer,
  primary key (account_id, kind, place, hour, traffic)
);
create index traffic_counts_hour on traffic_counts (account_id, hour);

-- What an account does about unusual messages. Accounts without a row have the defaults of the contract.
create table traffic_protection (
  account_id uuid primary key,
  messages text not null check (messages in ('off', 'notify', 'block')),
  campaigns text not null check (campaigns in ('off', 'notify', 'block')),
  lift_hours smallint not null check (lift_hours between 1 and 720),
  update_date timestamptz not null default now()
);

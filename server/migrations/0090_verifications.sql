-- Verification codes that customers send to their own users.

alter table dispatch
  -- The content of a message that contains a code. The message itself has the masked content.
  add column sealed_content text;
alter table fallbacks
  -- The real texts and contents of all steps, if they contain a code. Null once no step can follow.
  add column sealed_steps text;
alter table messages
  -- The state of the code that the message carries. Null for all other messages.
  add column verification_status text;

-- One row per code. The code itself is kept only as a keyed hash.
create table sent_codes (
  account_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  channel text not null,
  phone text not null,
  country text not null,
  -- The number without its last six digits: such a range often belongs to one network.
  range text not null,
  -- The number without its last four digits: such neighbors often belong to one owner.
  neighbors text not null,
  code_hash bytea not null,
  status text not null default 'pending' check (status in ('pending', 'verified', 'failed', 'expired', 'replaced')),
  attempts smallint not null default 0,
  -- True if the customer chose the code.
  own_code boolean not null,
  -- The IP address and the network of the person who asked for the code, if the customer passed it on.
  address text,
  network text,
  user_id uuid,
  key_id uuid,
  create_date timestamptz not null default now(),
  expire_date timestamptz not null,
  verify_date timestamptz,
  primary key (account_id, id)
);
create unique index sent_codes_open on sent_codes (account_id, phone) where status = 'pending';
create index sent_codes_phone on sent_codes (account_id, phone, create_date);
create index sent_codes_neighbors on sent_codes (account_id, neighbors, create_date);
create index sent_codes_address on sent_codes (account_id, address, create_date) where address is not null;
create index sent_codes_network on sent_codes (account_id, network, create_date) where network is not null;
create index sent_codes_old on sent_codes (create_date);
create index sent_codes_due on sent_codes (expire_date) where status = 'pending';

-- How many codes went to each country and number range, by hour, and how many of them were entered. Code stops and the
-- conversion are computed from these rows, so their cost does not depend on the number of codes.
create table code_counts (
  account_id uuid not null,
  kind text not null check (kind in ('country', 'range')),
  place text not null,
  hour timestamptz not null,
  channel text not null,
  sent integer not null default 0,
  verified integer not null default 0,
  primary key (account_id, kind, place, hour, channel)
);
create index code_counts_old on code_counts (hour);
create index code_counts_hour on code_counts (account_id, kind, hour);

-- Places that get no codes of one account, because too many of its codes there were not entered.
create table account_code_stops (
  account_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('country', 'range')),
  place text not null,
  country text not null,
  -- Unused codes in the hour of the stop, and in the busiest hour of the week before.
  sends integer not null,
  usual integer not null,
  stop_date timestamptz not null,
  lift_date timestamptz,
  lift_user_id uuid,
  -- Unused codes of the hour in which the stop was removed. They do not count again.
  lift_sends integer not null default 0,
  primary key (account_id, id)
);
create unique index account_code_stops_open on account_code_stops (account_id, place) where lift_date is null;
create index account_code_stops_lifted on account_code_stops (account_id, place, lift_date);

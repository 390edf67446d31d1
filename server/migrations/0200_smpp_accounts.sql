-- Accounts with which programs of a company bind to the SMPP server.
create table smpp_accounts (
  account_id uuid not null references accounts(id),
  id uuid not null,
  name text not null,
  system_id text not null,
  -- Sealed.
  password text not null,
  -- IP addresses and networks that may bind. Empty: all.
  addresses text[] not null default '{}',
  -- Source addresses that its messages may have. Empty: all senders of the account.
  sources text[] not null default '{}',
  bind_types text[] not null default '{transceiver,transmitter,receiver}',
  max_pending integer not null,
  -- Submits per second of all sessions. Null: the limit of the installation.
  throughput integer,
  max_binds integer not null,
  tls boolean not null default false,
  receives_inbound boolean not null default true,
  status text not null default 'active' check (status in ('active', 'paused')),
  last_bound_date timestamptz,
  last_error text,
  last_error_date timestamptz,
  user_id uuid,
  delete_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index smpp_accounts_system_id on smpp_accounts (system_id);

-- Bound sessions. A session whose process has died is not seen any more.
create table smpp_sessions (
  account_id uuid not null,
  id uuid not null,
  smpp_account_id uuid not null,
  bind_type text not null,
  address text not null,
  tls boolean not null,
  max_pending integer not null,
  bound_date timestamptz not null default now(),
  seen_date timestamptz not null default now(),
  accepted_count bigint not null default 0,
  refused_count bigint not null default 0,
  delivered_count bigint not null default 0,
  -- Accepted messages per second, times 10.
  rate_tenths integer not null default 0,
  last_error text,
  last_error_date timestamptz,
  -- Set to unbind the session.
  close_date timestamptz,
  primary key (account_id, id)
);
create index smpp_sessions_account on smpp_sessions (account_id, smpp_account_id);

-- The messages that SMPP accounts sent, by the ID that their programs know.
create table smpp_messages (
  account_id uuid not null,
  id uuid not null,
  smpp_account_id uuid not null,
  message_id uuid not null,
  -- The addresses as they were submitted, for receipts.
  source_ton smallint not null,
  source_npi smallint not null,
  source_addr text not null,
  dest_ton smallint not null,
  dest_npi smallint not null,
  dest_addr text not null,
  -- The registered_delivery of each part, in the order of the parts.
  receipts smallint[] not null,
  -- The state of the last receipt that was created.
  receipt_state text,
  primary key (account_id, id)
);
create unique index smpp_messages_message on smpp_messages (account_id, message_id);

-- Parts of long messages. They are kept after the message was accepted, so that a repeated part is recognized.
create table smpp_parts (
  account_id uuid not null,
  smpp_account_id uuid not null,
  -- Identifies the message: its addresses, reference, and number of parts.
  key bytea not null,
  part smallint not null,
  message_id uuid not null,
  octets bytea not null,
  registered_delivery smallint not null,
  -- The source and the destination of its receipt.
  addresses jsonb not null,
  accepted boolean not null default false,
  create_date timestamptz not null default now(),
  primary key (account_id, smpp_account_id, key, part)
);
create index smpp_parts_old on smpp_parts (create_date);

alter table messages drop constraint messages_source_check;
alter table messages add constraint messages_source_check check (source in
  ('api', 'smpp', 'campaign', 'inbox', 'reply', 'test', 'phone', 'phone_app', 'verification')) not valid;

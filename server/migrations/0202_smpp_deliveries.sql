-- Receipts and inbound messages for the programs of SMPP accounts, until they confirm them.
create table smpp_deliveries (
  account_id uuid not null,
  id uuid not null,
  smpp_account_id uuid not null,
  -- The message that it is about. Deliveries about one message are sent in the order of their events.
  message_id uuid not null,
  seq bigint not null,
  kind text not null check (kind in ('receipt', 'inbound')),
  body jsonb not null,
  due_date timestamptz not null default now(),
  tries integer not null default 0,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index smpp_deliveries_due on smpp_deliveries (account_id, smpp_account_id, due_date);
create index smpp_deliveries_message on smpp_deliveries (account_id, smpp_account_id, message_id, seq, id);
create index smpp_deliveries_old on smpp_deliveries (create_date);

-- The rows in smpp_deliveries.
alter table smpp_accounts add column pending_count integer not null default 0;

-- The position up to which events have created deliveries.
create table smpp_position (
  sole boolean default true primary key check (sole),
  seq bigint not null
);
insert into smpp_position (seq) select seq from event_position;

-- Accounts whose messages are recorded as they go to carriers, for a limited time and number of messages.
create table carrier_recordings (
  account_id uuid primary key,
  -- The number of messages recorded since the start.
  messages_count integer not null default 0,
  start_date timestamptz not null,
  end_date timestamptz not null,
  -- Receipts of recorded messages are recorded until then.
  watch_until timestamptz not null
);
create index carrier_recordings_watched on carrier_recordings (watch_until);

-- What went to carriers and came from them, with secrets and codes masked. Kept for CARRIER_PAYLOAD_DAYS.
create table carrier_payloads (
  account_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  connection_id uuid not null,
  direction text not null check (direction in ('sent', 'received')),
  title text not null,
  fields jsonb not null,
  body text not null,
  is_cut boolean not null,
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index carrier_payloads_message on carrier_payloads (account_id, message_id, id);
create index carrier_payloads_date on carrier_payloads using brin (create_date);

-- A connection's settings describe its carrier completely: segments, IDs, numbers, addresses, clock, validity, and TLS.
-- The new settings get the values that had the same effect before. A short code had numbering plan 0 with type of
-- number 3, and plan 1 with all others.
update connections
set settings = jsonb_build_object(
  'segment_capacity', '140',
  'validity', 'relative',
  'service_type', '',
  'country', null,
  'utc_offset_minutes', null,
  'number_ton', 1,
  'number_npi', 1,
  'short_code_npi', case when coalesce(settings->>'short_code_ton', '3') = '3' then 0 else 1 end,
  'name_ton', 5,
  'name_npi', 0,
  'recipient_ton', 1,
  'recipient_npi', 1,
  'sender_prefix', 'none',
  'recipient_prefix', 'none',
  'tls_server_name', '',
  'tls_ca', '',
  'tls_certificate', '',
  'tls_key', ''
) || settings
where adapter = 'smpp';

-- Test messages that show how a carrier behaves. A worker with a bind sends them and collects their receipts.
create table connection_tests (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null,
  sender text not null,
  number text not null,
  text text not null,
  reference integer not null,
  -- When a worker took the test. A test that no worker takes within a minute is never sent.
  send_date timestamptz,
  -- The IDs of the carrier, or its refusal.
  response jsonb,
  -- The last receipt as the carrier wrote it.
  receipt jsonb,
  receipt_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (connection_id, id)
);

create index connection_tests_open on connection_tests (create_date);

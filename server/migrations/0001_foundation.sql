-- The primary key of every customer table starts with account_id, so that the database can be distributed by account.
-- Tables without it are directories (token, number or carrier ID to account), operator data or installation data.

create table accounts (
  id uuid primary key,
  kind text not null default 'CUSTOMER' check (kind in ('CUSTOMER', 'OPERATOR')),
  account_type text not null default 'MAIN' check (account_type in ('MAIN', 'SUB_ACCOUNT')),
  company_name text not null,
  country_code text not null default 'US',
  currency text not null default 'USD' check (currency in ('USD', 'EUR', 'AMD', 'RUB', 'AED')),
  status text not null default 'UNVERIFIED' check (status in ('UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED', 'BLOCKED')),
  timezone text not null default 'UTC',
  channels text[] not null default '{SMS}',
  tags text[] not null default '{}',
  industry_id smallint not null default 9,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now()
);

create table users (
  account_id uuid not null references accounts,
  id uuid not null,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone_number text,
  position text,
  status text not null default 'NEW' check (status in ('NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED', 'BLOCKED')),
  permissions jsonb not null default '{}',
  is_owner boolean not null default false,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index users_email on users (lower(email));

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  account_id uuid not null,
  user_id uuid not null,
  real_user_id uuid,
  address text not null,
  agent text not null,
  create_date timestamptz not null default now(),
  last_used_date timestamptz not null default now(),
  expire_date timestamptz not null,
  revoke_date timestamptz
);
create index sessions_user on sessions (account_id, user_id);

create table sign_in_attempts (
  subject text primary key,
  failures integer not null,
  blocked_until timestamptz,
  last_date timestamptz not null
);

create table api_keys (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  permissions jsonb not null,
  last_used_date timestamptz,
  revoke_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index api_keys_hash on api_keys (key_hash);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  request_hash text not null,
  status smallint not null,
  response jsonb not null,
  create_date timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_date on idempotency_keys (create_date);

-- Events are stored without a position. The sequencer assigns it after the commit.
create table events (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  -- Plain json: the payload is only passed on, keeps its key order, and costs a third of jsonb.
  payload json not null,
  live boolean not null,
  -- The payload is an array: several events of one type and account that are not sent live.
  many boolean not null default false,
  seq bigint,
  published_at timestamptz,
  primary key (account_id, id)
);
create index events_waiting on events (id) where seq is null;
create unique index events_seq on events (seq) where seq is not null;
create index events_published on events (account_id, published_at) where seq is not null and live;

create table event_position (
  sole boolean primary key default true check (sole),
  seq bigint not null,
  published_at timestamptz not null,
  kept_since timestamptz not null
);
insert into event_position (seq, published_at, kept_since) values (0, now(), now());

create table mails (
  id uuid primary key,
  account_id uuid,
  recipient text not null,
  subject text not null,
  html text not null,
  body text not null,
  dedupe_key text unique,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'bounced', 'failed')),
  attempts smallint not null default 0,
  error text,
  create_date timestamptz not null default now(),
  sent_date timestamptz
);

-- Senders -------------------------------------------------------------------------------------------------------------

create table senders (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  code text not null,
  channel text not null check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  type text not null check (type in ('local', 'mobile', 'toll_free', 'short_code', 'alphanumeric')),
  status text not null check (status in ('pending', 'approved', 'rejected', 'available', 'canceled', 'unregistered')),
  -- Empty: all countries.
  countries text[] not null default '{}',
  brand text not null default '',
  help_text text not null default '',
  stop_text text not null default '',
  start_text text not null default '',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, channel, name)
);

-- Maps an address that receives messages to its account and sender.
create table inbound_addresses (
  channel text not null,
  address text not null,
  account_id uuid not null,
  sender_id uuid not null,
  primary key (channel, address)
);

-- Audiences -----------------------------------------------------------------------------------------------------------

create table audiences (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  channel text not null default 'SMS',
  contacts_count integer not null default 0,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index audiences_name on audiences (account_id, lower(name));

create table contacts (
  account_id uuid not null,
  audience_id uuid not null,
  id uuid not null,
  number text not null,
  country text not null,
  first_name text not null default '',
  last_name text not null default '',
  custom1 text not null default '',
  custom2 text not null default '',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  -- No foreign key: writers lock the row of the audience, and a check of each of the 100,000 rows of an import would
  -- double its duration. `parley doctor` reports orphans.
  primary key (account_id, audience_id, id)
);
-- text_pattern_ops supports prefix search under any database collation.
create unique index contacts_number on contacts (account_id, audience_id, number text_pattern_ops);

create table audience_imports (
  account_id uuid not null,
  id uuid not null,
  audience_id uuid,
  audience_name text not null,
  user_id uuid,
  filename text not null,
  -- The uploaded file. Empty after its removal.
  storage_key text not null,
  status text not null check (status in ('mapping', 'running', 'completed', 'failed', 'canceled')),
  -- The detected format and columns. `options` has the chosen columns and the rule for existing numbers.
  preview jsonb not null,
  options jsonb not null default '{}',
  total_rows integer not null default 0,
  processed_rows integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  duplicate_count integer not null default 0,
  invalid_count integer not null default 0,
  skipped_count integer not null default 0,
  refused_key text,
  error_code integer,
  error_message text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index audience_imports_unfinished on audience_imports (update_date)
  where status in ('mapping', 'running') or storage_key <> '';

create table stop_list (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  -- Null: all senders of the account.
  sender_id uuid,
  reason text not null check (reason in ('keyword', 'manual', 'api', 'operator', 'carrier')),
  text text not null default '',
  message_id uuid,
  user_id uuid,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index stop_list_number on stop_list (account_id, number text_pattern_ops, sender_id) nulls not distinct;

-- All changes of the stop list. The history of a removed entry stays.
create table stop_list_history (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  sender_id uuid,
  change text not null check (change in ('stopped', 'started')),
  reason text not null,
  text text not null default '',
  message_id uuid,
  user_id uuid,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);

-- Balance and ledger: single-row double entry, integer micro-units ----------------------------------------------------

create table balances (
  account_id uuid primary key references accounts,
  currency text not null,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0 check (held_micros >= 0),
  credit_limit_micros bigint not null default 0 check (credit_limit_micros >= 0),
  update_date timestamptz not null default now(),
  check (available_micros >= -credit_limit_micros)
);

create table ledger (
  account_id uuid not null,
  id uuid not null,
  -- The amount moves from `debit` to `credit`, so the entries of an account always sum to zero.
  debit text not null check (debit in ('outside', 'available', 'held', 'spent')),
  credit text not null check (credit in ('outside', 'available', 'held', 'spent')),
  amount_micros bigint not null check (amount_micros > 0),
  kind text not null check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'refund')),
  -- Unique per account, so that a retry adds no second entry.
  key text not null,
  hold_id uuid,
  campaign_id uuid,
  message_count integer not null default 0,
  available_after_micros bigint not null,
  held_after_micros bigint not null,
  note text not null default '',
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, key),
  check (debit <> credit)
);
create function refuse_change() returns trigger language plpgsql as
  'begin raise exception ''% is append-only'', tg_table_name; end';
create trigger ledger_append_only before update or delete on ledger
  for each statement execute function refuse_change();

create table holds (
  account_id uuid not null,
  id uuid not null,
  campaign_id uuid,
  amount_micros bigint not null check (amount_micros >= 0),
  open_micros bigint not null check (open_micros >= 0 and open_micros <= amount_micros),
  message_count integer not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index holds_open on holds (account_id, create_date) where open_micros > 0;

create table rates (
  id uuid primary key,
  -- Null: the list price. Otherwise the price of this account, which takes precedence.
  account_id uuid,
  channel text not null,
  country text not null,
  -- Null: all networks of the country without a price of their own.
  mccmnc text,
  price_micros bigint not null check (price_micros >= 0),
  currency text not null,
  create_date timestamptz not null default now()
);
create unique index rates_key on rates (account_id, channel, country, mccmnc, currency) nulls not distinct;

create table networks (
  mccmnc text primary key,
  name text not null,
  country text not null
);
create table network_prefixes (
  prefix text primary key,
  mccmnc text not null references networks
);

-- Increases with every price change. Processes cache the prices and compare only this number.
create table price_revision (
  sole boolean primary key default true check (sole),
  revision bigint not null
);
insert into price_revision (revision) values (1);
create function bump_price_revision() returns trigger language plpgsql as
  'begin update price_revision set revision = revision + 1; return null; end';
create trigger rates_changed after insert or update or delete or truncate on rates
  for each statement execute function bump_price_revision();
create trigger networks_changed after insert or update or delete or truncate on networks
  for each statement execute function bump_price_revision();
create trigger network_prefixes_changed after insert or update or delete or truncate on network_prefixes
  for each statement execute function bump_price_revision();

-- Carriers ------------------------------------------------------------------------------------------------------------

create table connections (
  id uuid primary key,
  name text not null unique,
  adapter text not null check (adapter in ('smpp')),
  channel text not null,
  settings jsonb not null,
  -- Applies to an ambiguous message if no evidence arrives within the grace period.
  unknown_policy text not null default 'fail' check (unknown_policy in ('fail', 'resend')),
  unknown_grace_seconds integer not null default 300 check (unknown_grace_seconds between 1 and 86400),
  enabled boolean not null default true,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now()
);

create table routes (
  id uuid primary key,
  channel text not null,
  country text,
  prefix text,
  connection_id uuid not null references connections,
  -- Lower values come first. The next route is used while no bind of the first is up.
  priority smallint not null default 10,
  enabled boolean not null default true,
  create_date timestamptz not null default now()
);

-- Processes that deliver messages. They renew their lease every second. After it expires, other workers take over.
create table workers (
  id uuid primary key,
  -- Identifies the process on its machine, so that a successor there does not wait for the lease to expire.
  process text not null,
  lease_until timestamptz not null,
  create_date timestamptz not null default now()
);

-- The binds of the workers and their state.
create table binds (
  connection_id uuid not null references connections on delete cascade,
  slot smallint not null,
  worker_id uuid not null references workers on delete cascade,
  -- Changes with each reconnect.
  session uuid,
  state text not null,
  detail text not null default '',
  line_window integer not null default 0,
  in_flight integer not null default 0,
  rate_per_second integer not null default 0,
  sent_count bigint not null default 0,
  bound_date timestamptz,
  lease_until timestamptz not null,
  primary key (connection_id, slot)
);

-- Campaigns -----------------------------------------------------------------------------------------------------------

create table campaigns (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  channel text not null,
  sender_id uuid,
  audience_id uuid,
  text text not null default '',
  status text not null check (status in (
    'in_complete', 'scheduled', 'in_progress', 'paused', 'completed', 'failed', 'canceled', 'error')),
  status_details text,
  schedule timestamptz,
  validity_seconds integer not null default 86400,
  user_id uuid,
  -- Set at the start. Later changes of the audience do not affect the campaign.
  total integer not null default 0,
  last_contact_id uuid,
  -- Advances in the transaction that inserts the messages.
  cursor_contact_id uuid,
  fanned_out integer not null default 0,
  skipped jsonb not null default '{}',
  -- Messages by status, counted at most once per second.
  counts jsonb not null default '{}',
  retryable_count integer not null default 0,
  cost_micros bigint not null default 0,
  start_date timestamptz,
  end_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index campaigns_name on campaigns (account_id, lower(name));
create index campaigns_due on campaigns (schedule) where status = 'scheduled';
create index campaigns_running on campaigns (account_id, id) where status = 'in_progress';

-- Messages ------------------------------------------------------------------------------------------------------------

create table messages (
  account_id uuid not null,
  id uuid not null,
  direction text not null check (direction in ('MT', 'MO')),
  channel text not null,
  type text not null default 'text',
  status text not null check (status in (
    'scheduled', 'enroute', 'sent', 'delivered', 'read', 'failed', 'rejected', 'expired', 'blocked', 'unsubscribed',
    'canceled', 'received')),
  sender_id uuid not null,
  "from" text not null,
  "to" text not null,
  -- The address of the recipient or contact in both directions. With `sender_id` it identifies the conversation.
  number text not null,
  country text not null,
  mccmnc text,
  text text not null,
  segments_count smallint not null,
  encoding text not null,
  price_micros bigint not null default 0,
  currency text not null,
  charge text not null default 'none' check (charge in ('none', 'held', 'settled', 'released')),
  hold_id uuid,
  source text not null check (source in ('api', 'campaign', 'inbox', 'reply', 'test', 'phone')),
  campaign_id uuid,
  user_id uuid,
  key_id uuid,
  payload text,
  schedule timestamptz,
  expire_date timestamptz,
  connection_id uuid,
  failure text check (failure in (
    'connection', 'throttled', 'rejected', 'invalid', 'config', 'opted_out', 'unknown', 'expired')),
  carrier_code text,
  status_details text,
  possible_duplicate boolean not null default false,
  -- The number of submissions to a carrier, added when the message leaves the queue.
  attempts smallint not null default 0,
  -- [{at, status, source, code?, text?}], appended with each status change.
  timeline jsonb not null default '[]',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
-- Leaves room on the page for two longer versions of each row, so that a status update does not touch an index.
) with (fillfactor = 35);
create unique index messages_campaign on messages (account_id, campaign_id, number) where campaign_id is not null;
-- For the thread of a conversation, and for the message log of a number or prefix.
create index messages_thread on messages (account_id, number, sender_id, id);

-- The delivery queue. It is separate from `messages` and stays small, because a row is deleted with the outcome.
--   queued      -> waiting until `not_before`
--   submitting  -> committed just before the socket write; after a crash, evidence resolves the row
create table dispatch (
  account_id uuid not null,
  message_id uuid not null,
  connection_id uuid,
  channel text not null,
  stage text not null default 'queued' check (stage in ('queued', 'submitting')),
  -- Lower values come first: 1 for replies, 5 for single messages, 9 for campaigns.
  priority smallint not null default 5,
  not_before timestamptz not null default now(),
  expire_date timestamptz not null,
  number text not null,
  sender_address text not null,
  -- True for the confirmation of an opt-out, the only message that a number on the stop list still receives.
  passes_stop_list boolean not null default false,
  -- The following columns belong to delivery. The worker that waits for the response of the carrier. Null: only
  -- evidence can resolve the message.
  worker_id uuid,
  -- The bind of that worker.
  line_id uuid,
  -- Counts the submissions, so that a late response to an earlier one is ignored.
  attempt integer not null default 0,
  -- Sent to the carrier with the attempt. Carriers that support it return it in the delivery receipt.
  reference integer not null default 0,
  submit_date timestamptz,
  unknown_date timestamptz,
  -- The number of temporary refusals, which is limited.
  refusals smallint not null default 0,
  -- The segments of a long message that the carrier has accepted.
  sent_parts smallint[] not null default '{}',
  -- The message was ambiguous and was submitted a second time. There is no third submission.
  resent boolean not null default false,
  primary key (account_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Read by priority and account. Rows that are not due come last and are not scanned.
create index dispatch_queued on dispatch (connection_id, priority, account_id, not_before, message_id)
  where stage = 'queued';
create index dispatch_submitting on dispatch (connection_id, number) where stage = 'submitting';
create index dispatch_expiry on dispatch (expire_date) where stage = 'queued';

-- Maps the message IDs of carriers to messages, for delivery receipts.
create table submissions (
  connection_id uuid not null,
  external_id text not null,
  account_id uuid not null,
  message_id uuid not null,
  part smallint not null,
  parts smallint not null,
  -- The status in the receipt of this segment of a long message.
  state text,
  create_date timestamptz not null default now(),
  primary key (connection_id, external_id)
);
create index submissions_message on submissions (account_id, message_id);
create index submissions_date on submissions using brin (create_date);

-- Delivery receipts without a known message ID. They are matched later or reported, never dropped silently.
create table unmatched_reports (
  id uuid primary key,
  connection_id uuid not null,
  external_id text not null,
  number text not null,
  report jsonb not null,
  create_date timestamptz not null default now()
);
create index unmatched_reports_id on unmatched_reports (connection_id, external_id);
create index unmatched_reports_number on unmatched_reports (connection_id, number);
create index unmatched_reports_date on unmatched_reports (create_date);

-- Detects repeated inbound messages: a carrier that receives no response delivers the message again on its next bind.
-- `session` is the bind session that accepted the message.
create table inbound_seen (
  connection_id uuid not null,
  digest bytea not null,
  session uuid not null,
  create_date timestamptz not null default now(),
  primary key (connection_id, digest, create_date)
);
create index inbound_seen_date on inbound_seen (create_date);

-- Parts of long inbound messages, until all have arrived. They are acknowledged, so they are stored durably.
create table inbound_parts (
  connection_id uuid not null,
  -- The same for all parts of a message.
  key text not null,
  part smallint not null,
  total smallint not null,
  "from" text not null,
  "to" text not null,
  octets bytea not null,
  coding smallint not null,
  create_date timestamptz not null default now(),
  primary key (connection_id, key, part)
);

create table conversations (
  account_id uuid not null,
  id uuid not null,
  channel text not null,
  sender_id uuid not null,
  number text not null,
  assignee_id uuid,
  unread_count integer not null default 0 check (unread_count >= 0),
  last_read_timestamp timestamptz,
  timestamp timestamptz not null,
  last_message_id uuid,
  create_date timestamptz not null default now(),
  delete_date timestamptz,
  primary key (account_id, id),
  unique (account_id, sender_id, number)
);
create index conversations_recent on conversations (account_id, timestamp desc) where delete_date is null;

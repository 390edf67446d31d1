-- Every table of a customer carries account_id first in its primary key, so that the database can be distributed by it.
-- Tables without one are directories (who owns this token, number, carrier id), operators' data, or the machine's own.

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

-- Events are stored without a position; the sequencer gives it after the commit.
create table events (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  -- Not jsonb: it is only ever passed on, in the order it was written, and costs a third.
  payload json not null,
  live boolean not null,
  -- The payload is an array of payloads: facts of one kind and account that came together and are not live.
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
  -- Empty: every country.
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

-- Whose number is this? Only addresses people can write to.
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
  -- No foreign key: whoever writes contacts holds the lock of their audience's row, and checking an import's 100,000 rows one by one would
  -- double its time. `parley doctor` looks for orphans.
  primary key (account_id, audience_id, id)
);
-- text_pattern_ops: it finds beginnings of numbers too, whatever the collation of the database.
create unique index contacts_number on contacts (account_id, audience_id, number text_pattern_ops);

create table audience_imports (
  account_id uuid not null,
  id uuid not null,
  audience_id uuid,
  audience_name text not null,
  user_id uuid,
  filename text not null,
  -- The uploaded file; empty once it has been removed.
  storage_key text not null,
  status text not null check (status in ('mapping', 'running', 'completed', 'failed', 'canceled')),
  -- What the file was found to be, the chosen columns, and what to do with a number that is there already.
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
create index audience_imports_unfinished on audience_imports (update_date) where status in ('mapping', 'running') or storage_key <> '';

create table stop_list (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  -- Null: for every sender of the account.
  sender_id uuid,
  reason text not null check (reason in ('keyword', 'manual', 'api', 'operator', 'carrier')),
  text text not null default '',
  message_id uuid,
  user_id uuid,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index stop_list_number on stop_list (account_id, number text_pattern_ops, sender_id) nulls not distinct;

-- How it was and when: entries are ended, not forgotten.
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

-- Money: single-row double entry, integer micro-units ---------------------------------------------------------------------

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
  -- The amount leaves `debit` and arrives in `credit`; the books of one account always sum to zero.
  debit text not null check (debit in ('outside', 'available', 'held', 'spent')),
  credit text not null check (credit in ('outside', 'available', 'held', 'spent')),
  amount_micros bigint not null check (amount_micros > 0),
  kind text not null check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'refund')),
  -- Once per key: a repeated try changes nothing.
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
  -- Null: everybody's; otherwise this account's own price, which wins.
  account_id uuid,
  channel text not null,
  country text not null,
  -- Null: every network of the country without a price of its own.
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

-- Changed with every change of the prices: processes hold them in memory and ask only for this.
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

-- Carriers ----------------------------------------------------------------------------------------------------------------

create table connections (
  id uuid primary key,
  name text not null unique,
  adapter text not null check (adapter in ('smpp')),
  channel text not null,
  settings jsonb not null,
  -- What to do with a message whose fate a crash left open, once the grace has passed without evidence.
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
  -- Lower first; the next one is used while the first has no line up.
  priority smallint not null default 10,
  enabled boolean not null default true,
  create_date timestamptz not null default now()
);

-- Processes that deliver: leases, renewed every second. What a worker without one left half done belongs to the others.
create table workers (
  id uuid primary key,
  -- Names the process within its machine, so that a successor on the same machine need not wait for the lease to run out.
  process text not null,
  lease_until timestamptz not null,
  create_date timestamptz not null default now()
);

-- Which worker holds which line, and how it is.
create table binds (
  connection_id uuid not null references connections on delete cascade,
  slot smallint not null,
  worker_id uuid not null references workers on delete cascade,
  -- A line that was cut and opened again is another session.
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

-- Campaigns ---------------------------------------------------------------------------------------------------------------

create table campaigns (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  channel text not null,
  sender_id uuid,
  audience_id uuid,
  text text not null default '',
  status text not null check (status in ('in_complete', 'scheduled', 'in_progress', 'paused', 'completed', 'failed', 'canceled', 'error')),
  status_details text,
  schedule timestamptz,
  validity_seconds integer not null default 86400,
  user_id uuid,
  -- Frozen at the start: later changes of the audience are not this campaign's.
  total integer not null default 0,
  last_contact_id uuid,
  -- Moved in the transaction that inserts the messages.
  cursor_contact_id uuid,
  fanned_out integer not null default 0,
  skipped jsonb not null default '{}',
  -- Messages by status, as recounted at most once a second.
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

-- Messages ----------------------------------------------------------------------------------------------------------------

create table messages (
  account_id uuid not null,
  id uuid not null,
  direction text not null check (direction in ('MT', 'MO')),
  channel text not null,
  type text not null default 'text',
  status text not null check (status in ('scheduled', 'enroute', 'sent', 'delivered', 'read', 'failed', 'rejected', 'expired',
                                         'blocked', 'unsubscribed', 'canceled', 'received')),
  sender_id uuid not null,
  "from" text not null,
  "to" text not null,
  -- The other side's address, whichever the direction: with the sender it names the conversation.
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
  failure text check (failure in ('connection', 'throttled', 'rejected', 'invalid', 'config', 'opted_out', 'unknown', 'expired')),
  carrier_code text,
  status_details text,
  possible_duplicate boolean not null default false,
  -- Submissions to a carrier, added when the message leaves the queue.
  attempts smallint not null default 0,
  -- [{at, status, source, code?, text?}], appended by the one place that changes the status.
  timeline jsonb not null default '[]',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
-- Room on the page for two more versions of each row, both longer than the first: so a status is written without touching an index.
) with (fillfactor = 35);
create unique index messages_campaign on messages (account_id, campaign_id, number) where campaign_id is not null;
-- By number first: the thread of a conversation, and the log of one number or prefix.
create index messages_thread on messages (account_id, number, sender_id, id);

-- The hot queue: small, apart from the messages, rows vanish with the outcome.
--   queued      -> waiting, from `not_before`
--   submitting  -> committed just before the socket write; what a crash leaves here is settled by evidence
create table dispatch (
  account_id uuid not null,
  message_id uuid not null,
  connection_id uuid,
  channel text not null,
  stage text not null default 'queued' check (stage in ('queued', 'submitting')),
  -- Lower first: 1 answers of people, 5 single messages, 9 campaigns.
  priority smallint not null default 5,
  not_before timestamptz not null default now(),
  expire_date timestamptz not null,
  number text not null,
  sender_address text not null,
  -- The one message a person who said stop still gets: that it was heard.
  passes_stop_list boolean not null default false,
  -- The rest is of delivery alone. Who waits for the carrier's answer; null once nobody does and only evidence can settle it.
  worker_id uuid,
  -- Of that worker, which line.
  line_id uuid,
  -- Counts every submission, so that an answer to an earlier one changes nothing.
  attempt integer not null default 0,
  -- Sent to the carrier with the attempt and echoed in its report where the carrier can.
  reference integer not null default 0,
  submit_date timestamptz,
  unknown_date timestamptz,
  -- Answers "not now" that may be given only so often.
  refusals smallint not null default 0,
  -- Parts of a long message the carrier has taken already.
  sent_parts smallint[] not null default '{}',
  -- It was sent again once, without proof that the first did not arrive; there is no second time.
  resent boolean not null default false,
  primary key (account_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Read pair by pair (priority, account): what is not due yet stands behind what is, and is never scanned.
create index dispatch_queued on dispatch (connection_id, priority, account_id, not_before, message_id) where stage = 'queued';
create index dispatch_submitting on dispatch (connection_id, number) where stage = 'submitting';
create index dispatch_expiry on dispatch (expire_date) where stage = 'queued';

-- Which message is this carrier's id? Kept for the receipts.
create table submissions (
  connection_id uuid not null,
  external_id text not null,
  account_id uuid not null,
  message_id uuid not null,
  part smallint not null,
  parts smallint not null,
  -- Of the parts of long messages: what their receipts said.
  state text,
  create_date timestamptz not null default now(),
  primary key (connection_id, external_id)
);
create index submissions_message on submissions (account_id, message_id);
create index submissions_date on submissions using brin (create_date);

-- Receipts that came before (or without) their message: matched later, never dropped silently.
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

-- A carrier that saw no answer delivers again on its next line: `session` says on which it was taken in.
create table inbound_seen (
  connection_id uuid not null,
  digest bytea not null,
  session uuid not null,
  create_date timestamptz not null default now(),
  primary key (connection_id, digest, create_date)
);
create index inbound_seen_date on inbound_seen (create_date);

-- Parts of long messages from people, until all are there. They are acknowledged, so they must be as safe as whole ones.
create table inbound_parts (
  connection_id uuid not null,
  -- Same for all parts of one message.
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

-- The schema as all migrations together make it, to read. Made by `npm run schema`; a test compares. To change it, write a migration.

create function refuse_change() returns trigger language plpgsql as $function$begin raise exception '% is append-only', tg_table_name; end$function$;

create function bump_price_revision() returns trigger language plpgsql as $function$begin update price_revision set revision = revision + 1; return null; end$function$;

create function audit_text(entry jsonb) returns text language sql immutable as $function$
  select ((entry - 'hash' - 'create_date')
    || jsonb_build_object('at', extract(epoch from (entry->>'create_date')::timestamptz)))::text
$function$;

create table migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);

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
  update_date timestamptz not null default now(),
  parent_id uuid references accounts(id),
  admin_created boolean not null default false,
  company_address text not null default '',
  company_website text not null default '',
  company_size text not null default '',
  vat_number text not null default '',
  use_case text not null default '',
  interests text[] not null default '{}',
  tax_rate numeric(6,3) not null default 0,
  invoice_company text not null default '',
  invoice_emails text[] not null default '{}',
  invoice_entity smallint not null default 1,
  -- What people chose about the product itself: onboarding, insights, templates.
  preference jsonb not null default '{}',
  -- Users of this account need a second factor.
  second_factor_required boolean not null default false,
  block_reason text not null default '',
  -- Who blocked it, and so who may lift it: an operator, the parent company, or the block of the parent itself.
  blocked_by text check (blocked_by in ('operator', 'parent', 'cascade')),
  -- What it goes back to.
  status_before_block text check (status_before_block in ('UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED')),
  close_date timestamptz,
  -- 30 days after it was closed personal data is gone for good, and with it the way back.
  erase_date timestamptz,
  -- The name of a company that signed up is held once its owner's address is confirmed; before, anybody could hold another's.
  name_held boolean not null default true,
  constraint accounts_blocked check (blocked_by is null or status = 'BLOCKED')
);
create index accounts_parent on accounts (parent_id) where parent_id is not null;
create index accounts_operators on accounts (id) where kind = 'OPERATOR';
create index accounts_closed on accounts (close_date) where close_date is not null and erase_date is null;
create index accounts_words on accounts using gin (to_tsvector('simple'::regconfig, regexp_replace(lower(company_name), '[!-/:-@[-`{-~]+', ' ', 'g')));
create index accounts_status on accounts (status, id);
create unique index accounts_company on accounts (lower(normalize(company_name, nfkc))) where parent_id is null and close_date is null and kind = 'CUSTOMER' and name_held;
create unique index accounts_sibling on accounts (parent_id, lower(normalize(company_name, nfkc))) where parent_id is not null and close_date is null;

create table users (
  account_id uuid not null references accounts(id),
  id uuid not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  "position" text,
  permissions jsonb not null default '{}',
  is_owner boolean not null default false,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  login_id uuid,
  blocked boolean not null default false,
  block_reason text not null default '',
  -- Then the company's own people cannot lift it.
  blocked_by_operator boolean not null default false,
  last_seen_date timestamptz,
  -- Taken out of the company. The row stays, with the name and nothing else, for the logs and messages that speak of it.
  remove_date timestamptz,
  -- Why the company's own people blocked them; null: they did not. An operator's block stands beside it, and lifting one leaves the other.
  team_block_reason text,
  primary key (account_id, id),
  constraint users_removed check (remove_date is null or login_id is null)
);
create unique index users_email on users (account_id, lower(email)) where remove_date is null;
create unique index users_login on users (account_id, login_id);
create index users_of_login on users (login_id);
create index users_address on users (lower(email) text_pattern_ops) where remove_date is null;
create index users_domain on users (split_part(lower(email), '@', 2) text_pattern_ops) where remove_date is null;

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
  revoke_date timestamptz,
  login_id uuid,
  method text not null default 'password' check (method in ('password', 'social', 'passkey', 'invitation', 'email', 'switch', 'impersonation')),
  -- The second factor was proven when it was opened.
  second_factor boolean not null default false,
  -- Sealed: an authenticator that is being set up here. Nothing counts before a code of it was given.
  totp_setup text,
  totp_setup_date timestamptz,
  -- Impersonation: why, and whose account the real user belongs to.
  reason text not null default '',
  real_account_id uuid,
  -- The session from which another's account was entered: what is entered ends with it.
  real_session_id uuid,
  -- When the person signed in with password or passkey, in this session or in the one it was opened from: for a while nobody asks again.
  prove_date timestamptz
);
create index sessions_user on sessions (account_id, user_id);
create index sessions_login on sessions (login_id, create_date);
create index sessions_real on sessions (real_account_id, real_user_id) where real_user_id is not null;
create index sessions_entered on sessions (real_session_id) where real_session_id is not null;

create table sign_in_attempts (
  subject text primary key,
  failures integer not null,
  blocked_until timestamptz,
  last_date timestamptz not null
);

create table api_keys (
  account_id uuid not null references accounts(id),
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
  response json not null,
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
  sole boolean default true primary key check (sole),
  seq bigint not null,
  published_at timestamptz not null,
  kept_since timestamptz not null
);

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
  account_id uuid not null references accounts(id),
  id uuid not null,
  name text not null,
  code text not null,
  channel text not null check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  type text not null check (type in ('local', 'mobile', 'toll_free', 'short_code', 'alphanumeric', 'business')),
  status text not null check (status in ('pending', 'approved', 'rejected', 'available', 'canceled', 'unregistered')),
  -- Empty: every country.
  countries text[] not null default '{}',
  brand text not null default '',
  help_text text not null default '',
  stop_text text not null default '',
  start_text text not null default '',
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  -- Given back or deleted; the row stays, since messages name it.
  delete_date timestamptz,
  -- Short codes: which one is wished for.
  wish jsonb,
  -- Which connection carries it, where that is not a matter of routes; null for SMS.
  connection_id uuid,
  -- How the carrier knows it: a phone number id of WhatsApp, a service id of Viber; null where it is the code.
  carrier_address text,
  -- WhatsApp: as people see it. Viber: its English name.
  business_name text not null default '',
  -- What the carrier says of it: {quality, limit, throughput, name_status, ...}; shown, never decided by.
  carrier_state jsonb,
  -- Viber can be had to send only. Its address is taken all the same: what people want no more is told by it.
  one_way boolean not null default false,
  -- The operators' sender it stands for.
  lent_from uuid,
  primary key (account_id, id)
);
create index senders_code on senders (lower(code) text_pattern_ops);
create index senders_name on senders (lower(name) text_pattern_ops);
-- Whether a number or a name is somebody's already, whoever asks.
create index senders_code_anywhere on senders (channel, lower(code)) where channel <> 'SMS' and delete_date is null;
create unique index senders_lent on senders (account_id, lent_from) where lent_from is not null;
-- A name is free again once its sender is gone.
create unique index senders_named on senders (account_id, channel, name) where delete_date is null and lent_from is null;

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
  account_id uuid not null references accounts(id),
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
create index audience_imports_unfinished on audience_imports (update_date) where (status in ('mapping', 'running')) or storage_key <> '';

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

-- Money: single-row double entry, integer micro-units -----------------------------------------------------------------

create table balances (
  account_id uuid primary key references accounts(id),
  currency text not null,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0 check (held_micros >= 0),
  credit_limit_micros bigint not null default 0 check (credit_limit_micros >= 0),
  update_date timestamptz not null default now(),
  check (available_micros >= (- credit_limit_micros))
);

create table ledger (
  account_id uuid not null,
  id uuid not null,
  -- The amount leaves `debit` and arrives in `credit`; the books of one account always sum to zero.
  debit text not null check (debit in ('outside', 'available', 'held', 'spent')),
  credit text not null check (credit in ('outside', 'available', 'held', 'spent')),
  amount_micros bigint not null check (amount_micros > 0),
  kind text not null check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'refund', 'charge')),
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
create trigger ledger_append_only before delete or update on ledger for each statement execute function refuse_change();

create table holds (
  account_id uuid not null,
  id uuid not null,
  campaign_id uuid,
  amount_micros bigint not null check (amount_micros >= 0),
  open_micros bigint not null,
  message_count integer not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  check (open_micros >= 0 and open_micros <= amount_micros)
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
  create_date timestamptz not null default now(),
  -- Null in `purpose`: every purpose without a price of its own.
  purpose text
);
create unique index rates_key on rates (account_id, channel, country, mccmnc, currency, purpose) nulls not distinct;
create trigger rates_changed after insert or delete or update or truncate on rates for each statement execute function bump_price_revision();

create table networks (
  mccmnc text primary key,
  name text not null,
  country text not null
);
create trigger networks_changed after insert or delete or update or truncate on networks for each statement execute function bump_price_revision();

create table network_prefixes (
  prefix text primary key,
  mccmnc text not null references networks(mccmnc)
);
create trigger network_prefixes_changed after insert or delete or update or truncate on network_prefixes for each statement execute function bump_price_revision();

-- Changed with every change of the prices: processes hold them in memory and ask only for this.
create table price_revision (
  sole boolean default true primary key check (sole),
  revision bigint not null
);

-- Carriers ------------------------------------------------------------------------------------------------------------

create table connections (
  id uuid primary key,
  name text not null unique,
  adapter text not null check (adapter in ('smpp', 'whatsapp', 'viber')),
  channel text not null,
  settings jsonb not null,
  -- What to do with a message whose fate a crash left open, once the grace has passed without evidence.
  unknown_policy text not null default 'fail' check (unknown_policy in ('fail', 'resend')),
  unknown_grace_seconds integer not null default 300 check (unknown_grace_seconds >= 1 and unknown_grace_seconds <= 86400),
  enabled boolean not null default true,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  -- {at, ok, text, url}: what came of telling the carrier where to call back.
  callback_state jsonb
);

create table routes (
  id uuid primary key,
  channel text not null,
  country text,
  prefix text,
  connection_id uuid not null references connections(id),
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
  create_date timestamptz not null default now(),
  -- For people: which machine, and what the process does there.
  host text not null default '',
  role text not null default ''
);

-- Which worker holds which line, and how it is.
create table binds (
  connection_id uuid not null references connections(id) on delete cascade,
  slot smallint not null,
  worker_id uuid not null references workers(id) on delete cascade,
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

-- Campaigns -----------------------------------------------------------------------------------------------------------

create table campaigns (
  account_id uuid not null references accounts(id),
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
  -- What its text was taken from.
  template_id uuid,
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
  status text not null check (status in ('scheduled', 'enroute', 'sent', 'delivered', 'read', 'failed', 'rejected', 'expired', 'blocked', 'unsubscribed', 'canceled', 'received')),
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
  source text not null check (source in ('api', 'campaign', 'inbox', 'reply', 'test', 'phone', 'verification')),
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
  -- Null: text only. Shape: contract/src/content.ts.
  content jsonb,
  template_id uuid,
  primary key (account_id, id)
) with (fillfactor = 35);
create unique index messages_campaign on messages (account_id, campaign_id, number) where campaign_id is not null;
-- By number first: the thread of a conversation, and the log of one number or prefix.
create index messages_thread on messages (account_id, number, sender_id, id);
create index messages_template on messages (account_id, template_id) where template_id is not null;

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
  "timestamp" timestamptz not null,
  last_message_id uuid,
  create_date timestamptz not null default now(),
  delete_date timestamptz,
  -- Until when the channel lets us write freely; null while the person has not written, or where anybody may.
  session_until timestamptz,
  -- Ours since the person wrote last.
  session_sent integer not null default 0,
  -- The carrier's own name for the person, where it is not a phone number; either finds the conversation.
  alias text,
  profile_name text not null default '',
  -- Ours in the session there is, answered or not: carriers limit that as well.
  session_sent_all integer not null default 0,
  primary key (account_id, id),
  unique (account_id, sender_id, number)
);
create index conversations_recent on conversations (account_id, "timestamp" desc) where delete_date is null;
create unique index conversations_alias on conversations (account_id, sender_id, alias) where alias is not null;

create table logins (
  id uuid primary key,
  email text not null,
  -- Null: signs in by a sign-in provider or a passkey only.
  password_hash text,
  password_change_date timestamptz,
  phone_number text,
  status text not null default 'NEW' check (status in ('NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED')),
  -- Sealed; null until a code of the authenticator proved that it was set up.
  totp_secret text,
  totp_date timestamptz,
  -- The last time step used, so that a code works once.
  totp_step bigint not null default 0,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now()
);
create unique index logins_email on logins (lower(email));
create unique index logins_phone on logins (phone_number) where status = 'PHONE_VERIFIED';

-- Codes and links sent to a mailbox or a phone. Bound to what they were asked for; only hashes are kept.
create table verifications (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'password_reset', 'email_change', 'phone', 'login', 'sender_number')),
  -- Null: nobody has this address. The row exists so that nothing tells.
  login_id uuid references logins(id) on delete cascade,
  account_id uuid,
  user_id uuid,
  target text not null,
  network text not null,
  code_hash bytea not null,
  -- The long secret of a link; of a password reset also what a right code is exchanged for.
  link_hash bytea unique,
  tries smallint not null default 0,
  sends smallint not null default 1,
  detail jsonb not null default '{}',
  create_date timestamptz not null default now(),
  send_date timestamptz not null default now(),
  expire_date timestamptz not null,
  use_date timestamptz
);
create index verifications_login on verifications (login_id, purpose);
create index verifications_target on verifications (target, purpose, create_date);
create index verifications_date on verifications (create_date);

-- Every code sent, for the limits by target, network and prefix.
create table code_sends (
  id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  target text not null,
  -- Of a phone number: all but the last four digits. Fraud walks through neighbouring numbers.
  prefix text,
  network text not null,
  login_id uuid,
  create_date timestamptz not null default now(),
  -- Codes by text message are counted by where they go: the country, and the range of numbers, which is all but the last six digits. What was given back
  -- is remembered, since fraud gives nothing back.
  address text,
  country text,
  range text,
  confirm_date timestamptz
);
create index code_sends_target on code_sends (target, create_date);
create index code_sends_network on code_sends (network, create_date);
create index code_sends_prefix on code_sends (prefix, create_date) where prefix is not null;
create index code_sends_date on code_sends (channel, create_date);
create index code_sends_address on code_sends (address, create_date) where address is not null;
create index code_sends_range on code_sends (range, create_date) where range is not null;
create index code_sends_country on code_sends (country, create_date) where country is not null;
create index code_sends_login on code_sends (login_id, create_date) where login_id is not null;

create table recovery_codes (
  login_id uuid not null references logins(id) on delete cascade,
  code_hash bytea not null,
  use_date timestamptz,
  primary key (login_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  login_id uuid not null references logins(id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  create_date timestamptz not null default now(),
  last_used_date timestamptz
);
create index passkeys_login on passkeys (login_id);

create table passkey_challenges (
  id uuid primary key,
  -- Null: for signing in.
  login_id uuid references logins(id) on delete cascade,
  challenge text not null,
  expire_date timestamptz not null
);
create index passkey_challenges_date on passkey_challenges (expire_date);

create table social_networks (
  issuer text not null,
  subject text not null,
  login_id uuid not null references logins(id) on delete cascade,
  provider text not null,
  email text not null default '',
  create_date timestamptz not null default now(),
  last_used_date timestamptz,
  primary key (issuer, subject)
);
create unique index social_networks_login on social_networks (login_id, provider);

-- What a sign-in provider said of somebody, for a minute and once: the browser brings it back as the social token.
create table social_tickets (
  ticket_hash bytea primary key,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text not null,
  email_verified boolean not null,
  first_name text not null default '',
  last_name text not null default '',
  expire_date timestamptz not null,
  use_date timestamptz
);

create table invitations (
  account_id uuid not null references accounts(id),
  id uuid not null,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  "position" text not null default '',
  permissions jsonb not null,
  token_hash bytea not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'ACCEPTED', 'REVOKED')),
  invited_by uuid,
  -- The company of who invited: the parent's, for the owner of a sub-account.
  inviter_account_id uuid not null,
  -- The user it became, or that was created together with it.
  user_id uuid,
  sends smallint not null default 1,
  send_date timestamptz not null default now(),
  expire_date timestamptz not null,
  accept_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index invitations_token on invitations (token_hash);
create unique index invitations_pending on invitations (account_id, lower(email)) where status = 'PENDING';
create index invitations_sent on invitations (inviter_account_id, send_date);
create index invitations_email on invitations (lower(email)) where status = 'PENDING';

-- One-time keys with which an operator enters a customer's account.
create table auth_sessions (
  id uuid primary key,
  secret_hash bytea not null unique,
  operator_account_id uuid not null,
  operator_user_id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  reason text not null,
  create_date timestamptz not null default now(),
  expire_date timestamptz not null,
  use_date timestamptz,
  operator_session_id uuid
);
create index auth_sessions_date on auth_sessions (expire_date);

-- What a company told about itself to be approved, and what operators decided.
create table account_reviews (
  account_id uuid not null references accounts(id),
  id uuid not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'APPROVED', 'REJECTED', 'INFO_NEEDED')),
  form jsonb not null,
  submitted_by uuid not null,
  reviewer_id uuid,
  reviewer_name text not null default '',
  reason text not null default '',
  create_date timestamptz not null default now(),
  decide_date timestamptz,
  primary key (account_id, id)
);
create unique index account_reviews_open on account_reviews (account_id) where status = 'OPEN';
-- Operators name a form by its id alone.
create index account_reviews_id on account_reviews (id);
-- What waits, longest first.
create index account_reviews_waiting on account_reviews (create_date, id) where status = 'OPEN';

-- Who did what. Each row of an account carries the hash of the one before, so that a row taken out or changed shows.
create table audit_log (
  account_id uuid not null,
  id uuid not null,
  number bigint not null,
  action text not null,
  user_id uuid,
  real_user_id uuid,
  key_id uuid,
  actor_name text not null default '',
  target_type text not null default '',
  target_id text not null default '',
  target_name text not null default '',
  detail jsonb not null default '{}',
  address text not null default '',
  agent text not null default '',
  request_id text not null default '',
  create_date timestamptz not null,
  hash bytea not null,
  primary key (account_id, id),
  unique (account_id, number)
);
create index audit_log_date on audit_log (account_id, create_date);
-- What was done about a company, a sender or a template, for whoever decides on it.
create index audit_log_target on audit_log (account_id, target_id, number) where target_type in ('account', 'sender', 'template');
create trigger audit_log_append_only before delete or update on audit_log for each statement execute function refuse_change();

-- The last look at all ledgers at once, by whichever worker had the turn: every process can tell of it.
create table ledger_checks (
  sole boolean default true primary key check (sole),
  mismatch_count integer not null,
  check_date timestamptz not null
);

-- Messages by the quarter of an hour of their creation: every time zone's midnight falls on one. Only slots with messages have rows.
create table message_slots (
  account_id uuid not null,
  slot timestamptz not null,
  channel text not null,
  sent integer not null,
  delivered integer not null,
  failed integer not null,
  received integer not null,
  spend_micros bigint not null,
  -- Messages whose outcome was not known yet: the slot is counted again.
  open integer not null,
  primary key (account_id, slot, channel)
);
create index message_slots_open on message_slots (account_id, slot) where open > 0;

-- Up to where an account's slots are counted; what is later is read from the messages themselves.
create table message_slot_marks (
  account_id uuid primary key,
  counted_until timestamptz not null
);

-- What `doctor` found each time an operator let it run.
create table doctor_runs (
  id uuid primary key,
  user_id uuid not null,
  -- Broken claims only: [{check, count, text}].
  findings jsonb not null,
  create_date timestamptz not null
);

-- The form of a sender, saved section by section.
create table sender_registrations (
  account_id uuid not null,
  sender_id uuid not null,
  company jsonb,
  sms_campaign jsonb,
  signup_options jsonb,
  example_messages jsonb,
  compliance_keyword_responses jsonb,
  toll_free jsonb,
  tcr jsonb,
  update_date timestamptz not null default now(),
  -- Kept part by part: shapes in contract/src/sender_access_form.ts.
  whatsapp jsonb,
  viber jsonb,
  primary key (account_id, sender_id),
  foreign key (account_id, sender_id) references senders(account_id, id)
);

create table sender_attachments (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null,
  file_name text not null,
  content_type text not null check (content_type in ('application/pdf', 'image/jpeg', 'image/png')),
  bytes integer not null,
  storage_key text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, sender_id) references senders(account_id, id)
);
create index sender_attachments_sender on sender_attachments (account_id, sender_id);

-- Each sending is a row, with the form as it was then.
create table sender_requests (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null check (kind in ('sender_id', 'short_code', 'toll_free', 'tcr', 'whatsapp', 'viber')),
  status text not null check (status in ('IN_PROCESS', 'COMPLETED', 'CANCELED', 'DELETED')),
  -- In process, and waiting for the customer's answer to `note`.
  asked boolean not null default false,
  form jsonb not null,
  -- [{field, text}]
  reasons jsonb not null default '[]',
  note text not null default '',
  reviewer_id uuid,
  reviewer_name text not null default '',
  create_date timestamptz not null,
  decide_date timestamptz,
  expected_date timestamptz not null,
  -- What an operator decides is decided of the form that was looked at: each answer of the customer is another revision.
  revision integer not null default 1,
  -- What was refused, as it stood then: the sender is mended and sent again, and its earlier requests must not seem to have been about that.
  refused_name text,
  refused_code text,
  refused_countries text[],
  primary key (account_id, id),
  foreign key (account_id, sender_id) references senders(account_id, id)
);
create unique index sender_requests_open on sender_requests (account_id, sender_id) where status = 'IN_PROCESS';
create index sender_requests_sender on sender_requests (account_id, sender_id, id);
create index sender_requests_id on sender_requests (id);
create index sender_requests_waiting on sender_requests (create_date, id) where status = 'IN_PROCESS' and not asked;

-- What happened to a sender, for its owner to read.
create table sender_timeline (
  account_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  kind text not null,
  text text not null default '',
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index sender_timeline_sender on sender_timeline (account_id, sender_id, id);

-- The operators' stock of numbers.
create table numbers (
  number text primary key,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  country text not null,
  city text not null default '',
  status text not null check (status in ('free', 'taken', 'cooling', 'retired')),
  account_id uuid,
  sender_id uuid,
  free_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  check ((status = 'taken') = (account_id is not null and sender_id is not null)),
  check ((status = 'cooling') = (free_date is not null))
);
create index numbers_offered on numbers (country, type, city, number) where status = 'free';
create index numbers_cooling on numbers (free_date) where status = 'cooling';

create table number_prices (
  country text not null,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  currency text not null,
  setup_micros bigint not null check (setup_micros >= 0),
  monthly_micros bigint not null check (monthly_micros >= 0),
  update_date timestamptz not null default now(),
  primary key (country, type, currency)
);

-- The price stays what it was when the number was bought.
create table number_rentals (
  account_id uuid not null,
  sender_id uuid not null,
  number text not null,
  currency text not null,
  monthly_micros bigint not null check (monthly_micros >= 0),
  -- Months that are paid.
  months integer not null check (months >= 1),
  start_date timestamptz not null,
  renewal_date timestamptz not null,
  -- Set while the rent could not be paid: the number is given back then.
  grace_date timestamptz,
  end_date timestamptz,
  primary key (account_id, sender_id),
  foreign key (account_id, sender_id) references senders(account_id, id)
);
create index number_rentals_due on number_rentals (renewal_date) where end_date is null;

create table media (
  account_id uuid not null,
  id uuid not null,
  -- Null: an API key asked.
  user_id uuid,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'removed')),
  type text not null check (type in ('image', 'video', 'document')),
  channel text check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  file_name text not null,
  directory text not null default '',
  -- While it waits: what the upload has to say. Then: what the file is.
  content_type text not null,
  wanted_width integer,
  wanted_height integer,
  -- The upload that may finish it; each new one takes over. The file in storage carries its name.
  lease uuid,
  bytes bigint,
  sha256 text,
  width integer,
  height integer,
  has_thumbnail boolean not null default false,
  -- Since when nothing uses it; null while something does.
  idle_since timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id),
  check (status <> 'ready' or lease is not null and bytes > 0 and sha256 is not null)
);
create index media_unfinished on media (update_date) where status <> 'ready';
create index media_idle on media (idle_since) where status = 'ready' and idle_since is not null;

-- What a file is kept for: "template:<id>", "campaign:<id>", "message:<id>".
create table media_uses (
  account_id uuid not null,
  media_id uuid not null,
  used_by text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, media_id, used_by),
  foreign key (account_id, media_id) references media(account_id, id)
);

-- The password that was typed last at a sign-up with this address, known or not, so that signing in with it answers alike. Opens nothing.
create table sign_up_tries (
  email text primary key,
  password_hash text not null,
  create_date timestamptz not null
);
create index sign_up_tries_date on sign_up_tries (create_date);

create table templates (
  account_id uuid not null references accounts(id),
  id uuid not null,
  channel text not null check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  name text not null,
  text text not null,
  type text not null check (type in ('text', 'image', 'video', 'document')),
  media_id uuid,
  url text,
  filename text,
  header text,
  footer text,
  buttons jsonb not null default '[]',
  wa_category text,
  -- The WhatsApp sender it belongs to.
  sender_id uuid,
  language text not null default 'en',
  samples text[] not null default '{}',
  status text not null check (status in ('IN_PROCESS', 'COMPLETED', 'CANCELED')),
  paused boolean not null default false,
  -- {code, text, advice}
  reason jsonb,
  external_id text,
  -- Counts every sending for review, so that an answer about an earlier one changes nothing.
  revision integer not null default 1,
  -- The revision that was last begun to be handed to the carrier, and the one it has.
  tried integer not null default 0,
  submitted integer not null default 0,
  user_id uuid,
  create_date timestamptz not null,
  update_date timestamptz not null,
  delete_date timestamptz,
  -- How people take it, as WhatsApp rates it: GREEN, YELLOW, RED; null while it does not.
  quality text check (quality in ('GREEN', 'YELLOW', 'RED')),
  -- Of one that is paused: for good.
  disabled boolean not null default false,
  -- Who decided on a template, and when: what happened to it later is in update_date.
  decide_date timestamptz,
  reviewer_name text not null default '',
  primary key (account_id, id)
);
create unique index templates_named on templates (account_id, channel, lower(name), language) where delete_date is null;
create index templates_external on templates (external_id) where external_id is not null;
create index templates_queue on templates (channel, status, id) where delete_date is null;
-- Whose name it is on a business account that several companies share.
create index templates_named_anywhere on templates (lower(name), language) where channel = 'WHATSAPP' and delete_date is null;
-- Operators name one by its id alone.
create index templates_id on templates (id);
create index templates_waiting on templates (update_date, id) where channel = 'VIBER' and status = 'IN_PROCESS' and delete_date is null;

-- When an account last asked the carrier how its templates stand.
create table template_syncs (
  account_id uuid primary key references accounts(id),
  date timestamptz not null
);

-- A code that came to the number was given back: it may become a sender of a channel that wants a number.
create table own_numbers (
  account_id uuid not null references accounts(id),
  number text not null,
  user_id uuid,
  verify_date timestamptz not null,
  primary key (account_id, number)
);

-- Only of messages that have other ways; a campaign's have none.
create table fallbacks (
  account_id uuid not null,
  message_id uuid not null,
  -- All legs in their order, the message as it was accepted first. Shape: server/src/messages/legs.ts.
  legs jsonb not null,
  -- Place in `legs` of the one in effect: its channel, sender and words are the message's.
  current smallint not null default 0,
  -- When what is in effect is passed on, if nothing is heard of it; or when nothing may follow any more.
  due_date timestamptz,
  -- A carrier has had it, or may have: it cannot be called back.
  handed boolean not null default false,
  -- Of its rows in the queue.
  priority smallint not null,
  primary key (account_id, message_id)
);
create index fallbacks_due on fallbacks (due_date) where due_date is not null;

-- The sender itself stands among its numbers, so that a key keeps each number behind one sender only, and no pool behind another.
create table sender_members (
  account_id uuid not null references accounts(id),
  sender_id uuid not null,
  pool_id uuid not null,
  weight integer not null default 1 check (weight >= 1 and weight <= 100),
  create_date timestamptz not null,
  primary key (account_id, sender_id)
);
create index sender_members_pool on sender_members (account_id, pool_id, sender_id);

-- Which of the numbers a person knows: they got a message from it last, or wrote to it.
create table sender_pairs (
  account_id uuid not null,
  pool_id uuid not null,
  number text not null,
  sender_id uuid not null,
  primary key (account_id, pool_id, number)
);

-- Messages accepted from each number, by the day (UTC).
create table sender_member_days (
  account_id uuid not null,
  pool_id uuid not null,
  sender_id uuid not null,
  day date not null,
  messages integer not null,
  primary key (account_id, pool_id, sender_id, day)
);

-- Many accounts may have been lent one sender: an answer belongs to whoever wrote to that phone last.
create table lent_answers (
  channel text not null,
  address text not null,
  number text not null,
  account_id uuid not null,
  sender_id uuid not null,
  create_date timestamptz not null,
  primary key (channel, address, number)
);

-- When WhatsApp was last asked for all templates of a connection, whoever wanted it.
create table connection_syncs (
  connection_id uuid primary key references connections(id) on delete cascade,
  date timestamptz not null
);

-- The PIN of the second step, sealed. WhatsApp keeps it with the number, whoever has the number, so it is of no account.
create table carrier_pins (
  channel text not null,
  number text not null,
  pin text not null,
  create_date timestamptz not null,
  primary key (channel, number)
);

-- A number that WhatsApp wants shown by a code of its own before it becomes a sender.
create table sender_verifications (
  account_id uuid not null,
  sender_id uuid not null,
  connection_id uuid not null references connections(id),
  carrier_address text not null,
  verified boolean not null default false,
  -- Asked for in the day that began at `first_date`.
  codes integer not null default 0,
  first_date timestamptz,
  -- When the last code was sent, and how; null: none is on its way.
  code_date timestamptz,
  method text check (method in ('sms', 'voice')),
  -- Wrong ones since.
  tries integer not null default 0,
  primary key (account_id, sender_id)
);

-- What of a sender's profile the carrier has. `revision` counts its changes; `taken` is the one the carrier has answered to.
create table sender_profiles (
  account_id uuid not null,
  sender_id uuid not null,
  revision integer not null default 1,
  taken integer not null default 0,
  -- The attachment that is its picture there.
  picture_id uuid,
  -- [{field, text}] of what the carrier did not take.
  refusals jsonb not null default '[]',
  take_date timestamptz,
  primary key (account_id, sender_id)
);

-- A range or a country that gets no codes until an operator allows it again.
create table code_stops (
  id uuid primary key,
  kind text not null check (kind in ('range', 'country')),
  -- The first digits of the numbers, or the country.
  place text not null,
  country text not null,
  -- Codes of the last hour that nobody had given back, and those of the busiest hour of the week before.
  sends integer not null,
  usual integer not null,
  stop_date timestamptz not null,
  lift_date timestamptz,
  lift_user_id uuid
);
create unique index code_stops_open on code_stops (place) where lift_date is null;
create index code_stops_place on code_stops (place, lift_date);

-- Operators who have a request open, so that a second one is told. Forgotten a minute after they were last heard of.
create table request_looks (
  request_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  start_date timestamptz not null,
  look_date timestamptz not null,
  primary key (request_id, user_id)
);

-- What waited up to then, operators have been told by mail.
create table request_mails (
  sole boolean default true primary key check (sole),
  told_date timestamptz not null
);

alter table users add constraint users_login_id_fkey foreign key (login_id) references logins(id);
alter table senders add constraint senders_connection_id_fkey foreign key (connection_id) references connections(id);

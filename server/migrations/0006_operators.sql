-- Indexes for the search of operators: accounts by word prefixes of the name, by prefixes of an email address or its
-- domain, and by sender. They need no extension of PostgreSQL.

create index accounts_words on accounts
  using gin (to_tsvector('simple', regexp_replace(lower(company_name), '[!-/:-@[-`{-~]+', ' ', 'g')));
create index accounts_status on accounts (status, id);
create index users_address on users (lower(email) text_pattern_ops) where remove_date is null;
create index users_domain on users (split_part(lower(email), '@', 2) text_pattern_ops) where remove_date is null;
create index senders_code on senders (lower(code) text_pattern_ops);
create index senders_name on senders (lower(name) text_pattern_ops);
create index auth_sessions_date on auth_sessions (expire_date);

-- The results of `parley doctor`, one row per run started by an operator.
create table doctor_runs (
  id uuid primary key,
  user_id uuid not null,
  -- Failed checks only: [{check, count, text}].
  findings jsonb not null,
  create_date timestamptz not null
);

-- For display: the machine and the role of the process.
alter table workers
  add column host text not null default '',
  add column role text not null default '';

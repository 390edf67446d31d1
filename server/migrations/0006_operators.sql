-- What operators look for: accounts by the beginnings of words of their name, by the beginning of an address or of its domain, by a sender.
-- No extension is needed for it, so that any PostgreSQL will do.

create index accounts_words on accounts
  using gin (to_tsvector('simple', regexp_replace(lower(company_name), '[!-/:-@[-`{-~]+', ' ', 'g')));
create index accounts_status on accounts (status, id);
create index users_address on users (lower(email) text_pattern_ops) where remove_date is null;
create index users_domain on users (split_part(lower(email), '@', 2) text_pattern_ops) where remove_date is null;
create index senders_code on senders (lower(code) text_pattern_ops);
create index senders_name on senders (lower(name) text_pattern_ops);
create index auth_sessions_date on auth_sessions (expire_date);

-- What `doctor` found each time an operator let it run.
create table doctor_runs (
  id uuid primary key,
  user_id uuid not null,
  -- Broken claims only: [{check, count, text}].
  findings jsonb not null,
  create_date timestamptz not null
);

-- For people: which machine, and what the process does there.
alter table workers
  add column host text not null default '',
  add column role text not null default '';

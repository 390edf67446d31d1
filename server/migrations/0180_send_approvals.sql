-- What the key may send in a day in UTC without an approval: recipients, and their price.
alter table api_keys add column approval_recipients integer;
alter table api_keys add column approval_micros bigint;

-- What the key sent without an approval on the latest day in UTC on which it sent.
create table key_unapproved (
  account_id uuid not null,
  key_id uuid not null,
  day date not null,
  recipients integer not null,
  spent_micros bigint not null,
  primary key (account_id, key_id)
);

-- Messages that a program wants to send and a person approves or declines. The token of an approval is stored as a hash
-- and is valid for one message with this hash of its content.
create table send_approvals (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  content_hash bytea not null,
  rehearsal jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'declined', 'used')),
  token_hash bytea,
  user_id uuid,
  expire_date timestamptz not null,
  create_date timestamptz not null default now(),
  decide_date timestamptz,
  primary key (account_id, id)
);
create unique index send_approvals_pending on send_approvals (account_id, key_id, content_hash)
  where status = 'pending';
create index send_approvals_by_token on send_approvals (account_id, key_id, token_hash) where token_hash is not null;

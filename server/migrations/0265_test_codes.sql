-- Verification codes of test keys. They count toward no limit, figure, or stop.
create table test_codes (
  account_id uuid not null,
  id uuid not null,
  -- A row of test_messages.
  message_id uuid not null,
  channel text not null,
  phone text not null,
  country text not null,
  code_hash bytea not null,
  status text not null default 'pending' check (status in ('pending', 'verified', 'failed', 'expired', 'replaced')),
  attempts smallint not null default 0,
  create_date timestamptz not null,
  expire_date timestamptz not null,
  verify_date timestamptz,
  primary key (account_id, id)
);
create unique index test_codes_open on test_codes (account_id, phone) where status = 'pending';
create index test_codes_old on test_codes (create_date);
create index test_codes_due on test_codes (expire_date) where status = 'pending';

-- Warnings before a limit is reached.

-- The percentages of the limit at which the account is warned, in ascending order.
alter table limits add column warn_at smallint[] not null default '{}';

-- The highest warning of a limit in an interval, written in the transaction that counts the messages.
create table limit_warnings (
  account_id uuid not null,
  limit_id uuid not null,
  window_start timestamptz not null,
  -- Changes when a higher percentage is reached.
  id uuid not null,
  -- The first recipient, sender, API key, user, or campaign that reached the percentage; otherwise empty.
  scope text not null,
  percent smallint not null,
  -- The count at that time.
  used bigint not null,
  -- The rule as it was then.
  rule jsonb not null,
  create_date timestamptz not null,
  expire_date timestamptz not null,
  primary key (account_id, limit_id, window_start)
);

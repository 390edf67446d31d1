-- Refills of sub-accounts from the balance of their parent. The account is the sub-account.
create table refills (
  account_id uuid primary key,
  enabled boolean not null,
  threshold_micros bigint not null check (threshold_micros > 0),
  amount_micros bigint not null check (amount_micros > 0),
  daily_limit_micros bigint not null check (daily_limit_micros >= amount_micros),
  -- The latest day in UTC with a refill, and what was moved on it.
  day date,
  day_micros bigint not null default 0 check (day_micros >= 0),
  -- Why refills have stopped. Null while they work.
  stop_reason text check (stop_reason in ('balance_short')),
  -- No refill starts before this time.
  next_date timestamptz,
  update_date timestamptz not null default now()
);

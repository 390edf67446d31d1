-- A job runs when the balance falls below the first level or reaches the second. It sends credit alerts and starts
-- automatic top-ups, and then sets the next levels.
alter table balances
  add column watch_below_micros bigint,
  add column watch_above_micros bigint;

create table auto_top_ups (
  account_id uuid primary key,
  enabled boolean not null,
  threshold_micros bigint not null check (threshold_micros >= 0),
  amount_micros bigint not null check (amount_micros > 0),
  method_id uuid not null,
  -- The most top-ups per day, and the most money per month, both in UTC.
  daily_limit smallint not null check (daily_limit between 1 and 20),
  monthly_limit_micros bigint not null check (monthly_limit_micros > 0),
  -- Why automatic top-up has stopped. Null while it works.
  stop_reason text,
  -- No top-up starts before this time.
  next_date timestamptz,
  update_date timestamptz not null default now()
);

create table credit_alerts (
  account_id uuid not null,
  threshold_micros bigint not null,
  -- True: the alert was sent and waits until the balance reaches the threshold again.
  sent boolean not null default false,
  primary key (account_id, threshold_micros)
);

create table alert_settings (
  account_id uuid primary key,
  enabled boolean not null,
  emails text[] not null,
  update_date timestamptz not null default now()
);

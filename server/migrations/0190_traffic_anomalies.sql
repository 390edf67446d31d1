-- The outbound messages of an account per hour of creation, as they were 12 minutes after the hour, by country and by
-- route. The row with the scope `account` says that the hour was counted, even without messages. An operator's account
-- has such a row if the hour was counted for all accounts.
create table traffic_hours (
  account_id uuid not null,
  hour timestamptz not null,
  scope text not null check (scope in ('account', 'country', 'route')),
  value text not null,
  -- Messages that were submitted to a carrier or failed before.
  sent integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  -- Accepted messages without those of campaigns, and what they cost.
  volume integer not null default 0,
  spend_micros bigint not null default 0,
  -- Delivered messages by the step of their delay (insights/slots.ts), without those of campaigns.
  delays jsonb not null default '{}',
  primary key (account_id, hour, scope, value)
);
create index traffic_hours_route on traffic_hours (hour, value) where scope = 'route';

-- The settings of anomaly alerts. See AnomalyAlerts in the contract.
create table anomaly_alerts (
  account_id uuid primary key,
  enabled boolean not null,
  metrics text[] not null,
  sensitivity text not null check (sensitivity in ('low', 'medium', 'high')),
  send_emails boolean not null,
  emails text[] not null,
  notify_in_app boolean not null,
  update_date timestamptz not null
);

-- The end of the last hour that was compared.
create table anomaly_marks (
  account_id uuid primary key,
  judged_until timestamptz not null
);

-- Hours that differ from the same hour of previous weeks. See Anomaly in the contract.
create table anomalies (
  account_id uuid not null,
  id uuid not null,
  metric text not null check (metric in ('error_rate', 'delivery_rate', 'volume', 'spend', 'latency')),
  scope text not null check (scope in ('country', 'route')),
  value text not null,
  direction text not null check (direction in ('above', 'below')),
  hour timestamptz not null,
  observed numeric not null,
  expected numeric not null,
  low numeric,
  high numeric,
  sample integer not null,
  compared jsonb not null,
  latest_hour timestamptz not null,
  latest numeric not null,
  -- Consecutive hours in which the figure was normal, or had too few messages.
  calm_hours integer not null default 0,
  silent_hours integer not null default 0,
  create_date timestamptz not null,
  end_date timestamptz,
  -- The end of the hour after which the anomaly ended.
  end_hour timestamptz,
  end_reason text check (end_reason in ('normal', 'quiet', 'off')),
  primary key (account_id, id)
);
create unique index anomalies_active on anomalies (account_id, metric, scope, value) where end_date is null;
create index anomalies_ended on anomalies (account_id, end_hour) where end_hour is not null;

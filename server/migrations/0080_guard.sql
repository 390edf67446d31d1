-- Limits on traffic and blocked countries.

-- A rule that counts accepted messages, or what they cost, in fixed intervals in UTC.
create table limits (
  account_id uuid not null,
  id uuid not null,
  type text not null
    check (type in ('messages', 'spend', 'messages_per_recipient', 'messages_per_sender', 'messages_per_key')),
  channels text[] not null,
  -- Empty: all countries.
  countries text[] not null default '{}',
  -- The beginnings of the numbers that count. Empty: all numbers.
  prefixes text[] not null default '{}',
  "limit" bigint not null check ("limit" > 0),
  "interval" text not null check ("interval" in ('minute', 'hour', 'day', 'week', 'month')),
  -- False: the limit only notifies.
  block_traffic boolean not null default true,
  enabled boolean not null default true,
  -- Messages from before this time do not count.
  count_date timestamptz not null default now(),
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);

-- What a limit has counted in an interval, changed in the transaction that accepts the messages. The scope is the
-- recipient, sender, or API key of a limit that counts them separately; otherwise it is empty.
create table limit_counters (
  account_id uuid not null,
  limit_id uuid not null,
  window_start timestamptz not null,
  scope text not null,
  used bigint not null,
  -- The highest limit under which messages were counted.
  ceiling bigint not null,
  primary key (account_id, limit_id, window_start, scope)
);

-- One row for each interval in which a limit was reached.
create table violations (
  account_id uuid not null,
  id uuid not null,
  limit_id uuid not null,
  window_start timestamptz not null,
  -- The first recipient, sender, or API key that reached a limit that counts them separately.
  scope text not null default '',
  -- The rule as it was then.
  rule jsonb not null,
  blocked integer not null default 0,
  create_date timestamptz not null default now(),
  expire_date timestamptz not null,
  -- Null while the violation lasts.
  end_date timestamptz,
  primary key (account_id, id)
);
create unique index violations_open on violations (account_id, limit_id, window_start) where end_date is null;

-- The countries to which an account sends no messages.
create table country_blacklists (
  account_id uuid primary key,
  countries text[] not null default '{}',
  update_date timestamptz not null default now()
);

-- The limit of requests of this key alone.
alter table api_keys add column requests_per_second integer;
-- What the messages of the key may cost in a calendar month in UTC.
alter table api_keys add column spend_limit_micros bigint;

-- What the messages of keys with a spend limit cost when they were accepted.
create table key_spending (
  account_id uuid not null,
  key_id uuid not null,
  month date not null,
  spent_micros bigint not null,
  primary key (account_id, key_id, month)
);

-- The requests of each key by day in UTC. The request log adds to it in the statement that writes the requests.
create table key_usage (
  account_id uuid not null,
  key_id uuid not null,
  day date not null,
  requests bigint not null,
  errors bigint not null,
  primary key (account_id, key_id, day)
);

alter table routes
  -- The currency of `cost_micros`. Null: unknown, so the cost is only compared between routes.
  add column cost_currency text;

-- What the messages of an account brought in and cost, per day in UTC, connection, and country. Written with the ledger
-- entries that settle the messages, so the income is the sum of these entries.
create table margins (
  account_id uuid not null,
  day date not null,
  -- The zero UUID: the message reached no connection.
  connection_id uuid not null,
  channel text not null,
  country text not null,
  currency text not null,
  messages bigint not null,
  segments bigint not null,
  income_micros bigint not null,
  -- What carriers charge for the segments, at the cost of the route when the message was settled.
  cost_micros bigint not null,
  -- The segments whose cost is unknown, or in another currency. Their cost is not part of `cost_micros`.
  uncosted_segments bigint not null,
  primary key (account_id, day, connection_id, channel, country, currency)
);
create index margins_day on margins (day, account_id);

-- From this day on, each ledger entry that settles messages has its margin. Processes of the previous release write
-- entries without it until they are replaced.
create table margin_start (
  sole boolean default true primary key check (sole),
  day date not null
);
insert into margin_start (day) values ((now() at time zone 'UTC')::date + 2);

-- Routes of the same numbers and the same priority share messages by percentage, or else the cheapest one is used.
alter table routes add column percentage smallint check (percentage between 1 and 100);
-- What the carrier charges for a segment, for comparison only.
alter table routes add column cost_micros bigint check (cost_micros >= 0);
-- A route to a network applies to all its prefixes in the numbering plan.
alter table routes add column mccmnc text;

-- {state, since, reason}: the verdict on the last minutes of the connection. Null until it was poor once.
alter table connections add column health jsonb;

-- What happened on a connection in a minute, as counted by one process.
create table connection_minutes (
  connection_id uuid not null references connections(id) on delete cascade,
  minute timestamptz not null,
  writer uuid not null,
  answered integer not null default 0,
  latency_ms bigint not null default 0,
  lost integer not null default 0,
  delivered integer not null default 0,
  undelivered integer not null default 0,
  primary key (connection_id, minute, writer)
);

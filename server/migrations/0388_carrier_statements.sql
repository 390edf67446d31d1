-- What carriers say they charged over a connection, as operators enter it.
create table carrier_statements (
  id uuid primary key,
  connection_id uuid not null,
  filename text not null,
  currency text not null,
  -- The days of the file in UTC, both included.
  from_day date not null,
  until_day date not null,
  user_id uuid,
  create_date timestamptz not null default now(),
  -- When our side was last summed up.
  compare_date timestamptz not null
);
create index carrier_statements_connection on carrier_statements (connection_id, from_day);

-- A country of a statement: what the carrier charged, and what the margins of the same days say.
create table carrier_statement_lines (
  statement_id uuid not null references carrier_statements(id) on delete cascade,
  id uuid not null,
  country text not null,
  their_segments bigint not null,
  their_micros bigint not null,
  our_segments bigint not null,
  our_micros bigint not null,
  -- Segments on our side without a cost in the currency of the statement. Their cost is not part of `our_micros`.
  uncosted_segments bigint not null,
  -- equal: both sides agree to the cent. resolved: an operator has closed the difference.
  status text not null check (status in ('equal', 'open', 'resolved')),
  reason text,
  user_id uuid,
  resolve_date timestamptz,
  primary key (statement_id, id),
  unique (statement_id, country)
);
create unique index carrier_statement_lines_id on carrier_statement_lines (id);
create index carrier_statement_lines_open on carrier_statement_lines (id) where status = 'open';
-- Sums of a connection do not read the rows of the others.
create index margins_connection on margins (connection_id, day);

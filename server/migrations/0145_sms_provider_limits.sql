-- The registry of adapters knows the adapters, so a new one needs no migration.
alter table connections drop constraint connections_adapter_check;
alter table connections add constraint connections_adapter_check check (adapter ~ '^[a-z][a-z0-9_]*$');

-- The state of the phone that sends over the connection: battery, charger, and network.
alter table connections add column device_state jsonb;
alter table connections add column device_date timestamptz;

-- How many messages a connection with a daily limit was given. Days are in UTC.
create table connection_days (
  connection_id uuid not null references connections(id) on delete cascade,
  day date not null,
  message_count integer not null,
  primary key (connection_id, day)
);

-- The epoch of the database: which history this is. A failover, a restore, or a copy starts a new epoch. What Parley
-- did between the last moment of this history and now is missing from it.
create table database_epoch (
  sole boolean default true primary key check (sole),
  epoch integer not null default 1,
  -- database_identity() when the epoch began. A difference means that the database was replaced.
  identity text not null,
  -- open: messages are sent. checking: the workers compare their last claims with the database. held: an operator
  -- decides about the messages that may have been sent (sending_holds).
  state text not null default 'open' check (state in ('open', 'checking', 'held')),
  cause text check (cause in ('failover', 'restore', 'rewind')),
  -- When the current epoch was noticed, and the last moment that the history before it contains.
  change_date timestamptz,
  data_date timestamptz,
  -- The workers that have not yet found their last claims, while the state is checking.
  awaited uuid[] not null default '{}',
  -- Renewed every second while a worker runs.
  seen_date timestamptz not null default now()
) with (fillfactor = 50);

-- The system identifier, the timeline, the database, and the table. A promotion or a recovery to a point in time starts
-- a new timeline, and every copy or dump has other object IDs. A standby has no timeline of its own.
create function database_identity() returns text language sql stable as $$
  select concat_ws('/',
    (select system_identifier from pg_control_system()),
    case when pg_is_in_recovery() then 'standby' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end,
    (select oid from pg_database where datname = current_database()),
    'database_epoch'::regclass::oid)
$$;

insert into database_epoch (identity) values (database_identity());

-- One row per connection that must not send yet.
create table sending_holds (
  connection_id uuid primary key references connections(id) on delete cascade,
  -- Messages that may have been sent, when the hold began.
  message_count integer not null,
  -- send: again, marked as possible duplicates. cancel: not again. Null: an operator has not decided.
  decision text check (decision in ('send', 'cancel')),
  user_id uuid,
  decide_date timestamptz,
  create_date timestamptz not null default now()
);

create function may_send(connection uuid) returns boolean language sql stable as $$
  select e.state <> 'checking' and e.identity = database_identity()
    and not exists (select from sending_holds where connection_id = connection)
  from database_epoch e
$$;

alter table event_position add column epoch integer not null default 1;

-- The last committed cycle of the bind, and its submitter. A submitter that remembers a later cycle proves that the
-- database has lost commits.
alter table binds
  add column submitter_id uuid,
  add column cycle bigint not null default 0;

-- Positions move to a narrow table, so that an event row is written once. The new `events` table is empty. The previous
-- table keeps the events without a position until 0050 moves them.
alter table events rename to earlier_events;
alter table earlier_events rename constraint events_pkey to earlier_events_pkey;

-- Written once and never updated.
create table events (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  -- Plain json: the payload is only passed on, keeps its key order, and costs a third of jsonb.
  payload json not null,
  live boolean not null,
  -- The payload is an array: several events of one type and account that are not sent live.
  many boolean not null default false,
  -- False: a process of the previous release inserted the event, and a trigger puts it into the queue.
  queued boolean not null default false,
  -- Always null. Processes of the previous release read these columns.
  seq bigint,
  published_at timestamptz,
  primary key (account_id, id)
);

-- Events without a position. The sequencer removes a row when it assigns the position.
create table event_queue (
  id uuid primary key,
  account_id uuid not null,
  live boolean not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- The order of all committed events. Only the sequencer inserts.
create table event_positions (
  account_id uuid not null,
  published_at timestamptz not null,
  seq bigint not null,
  event_id uuid not null,
  live boolean not null,
  primary key (account_id, published_at)
);
create unique index event_positions_seq on event_positions (seq);

create function queue_event() returns trigger language plpgsql as $$
begin
  insert into event_queue (id, account_id, live) values (new.id, new.account_id, new.live);
  new.queued := true;
  return new;
end $$;
create trigger queue_event before insert on events for each row when (not new.queued)
  execute function queue_event();

-- The sequencer of the previous release must not assign positions in addition.
create function keep_event() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger keep_event before update on events for each row execute function keep_event();

-- Streams cannot resume from positions in the previous table, so their clients reload.
update event_position set published_at = greatest(published_at + interval '1 microsecond', clock_timestamp()),
  kept_since = greatest(published_at + interval '1 microsecond', clock_timestamp());

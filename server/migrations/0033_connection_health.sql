-- A connection is paused when its carrier refuses every message until an operator acts.
alter table connections
  add column paused_date timestamptz,
  -- For operators: what the carrier reported.
  add column pause_reason text not null default '';

-- The figures of the health checks by name, one row per minute, for their trend. Kept for a day.
create table health_samples (
  sample_date timestamptz primary key,
  figures jsonb not null
);

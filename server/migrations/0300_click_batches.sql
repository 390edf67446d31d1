-- Clicks that were recorded before their response and are not stored in link_clicks yet. One row holds many clicks, so
-- that recording costs little while many people open links at once. A worker stores them and deletes the row.
create table click_batches (
  id uuid primary key,
  clicks json not null
);
-- Rows live for a moment. Dead ones must not slow down the next batch.
alter table click_batches set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Increases when the customer resubmits, so that a decision applies to the revision that the operator reviewed.
alter table sender_requests add column revision integer not null default 1;

-- The last time all templates of a WhatsApp connection were refreshed.
create table connection_syncs (
  connection_id uuid primary key references connections on delete cascade,
  date timestamptz not null
);

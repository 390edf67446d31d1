-- Totals for the dashboard, so that it does not read 90 days of messages for each request.

-- Messages per quarter of an hour of their creation, because midnight in every time zone starts a quarter. Only slots
-- with messages have rows.
create table message_slots (
  account_id uuid not null,
  slot timestamptz not null,
  channel text not null,
  sent integer not null,
  delivered integer not null,
  failed integer not null,
  received integer not null,
  spend_micros bigint not null,
  -- Messages without a final status. While there are any, the slot is counted again.
  open integer not null,
  primary key (account_id, slot, channel)
);
create index message_slots_open on message_slots (account_id, slot) where open > 0;

-- The end of the counted slots per account. Later messages are counted from `messages`.
create table message_slot_marks (
  account_id uuid primary key,
  counted_until timestamptz not null
);

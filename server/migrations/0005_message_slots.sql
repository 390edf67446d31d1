-- What the dashboard adds up, so that 90 days of millions of messages are not read again for every look at it.

-- Messages by the quarter of an hour of their creation: every time zone's midnight falls on one. Only slots with messages have rows.
create table message_slots (
  account_id uuid not null,
  slot timestamptz not null,
  channel text not null,
  sent integer not null,
  delivered integer not null,
  failed integer not null,
  received integer not null,
  spend_micros bigint not null,
  -- Messages whose outcome was not known yet: the slot is counted again.
  open integer not null,
  primary key (account_id, slot, channel)
);
create index message_slots_open on message_slots (account_id, slot) where open > 0;

-- Up to where an account's slots are counted; what is later is read from the messages themselves.
create table message_slot_marks (
  account_id uuid primary key,
  counted_until timestamptz not null
);

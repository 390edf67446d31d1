-- What becomes of WhatsApp senders and templates after they were approved: their profile, their PIN, their end, and how people take them.

alter table templates
  -- How people take it, as WhatsApp rates it: GREEN, YELLOW, RED; null while it does not.
  add column quality text check (quality in ('GREEN', 'YELLOW', 'RED')),
  -- Of one that is paused: for good.
  add column disabled boolean not null default false;
-- Whose name it is on a business account that several companies share.
create index templates_named_anywhere on templates (lower(name), language) where channel = 'WHATSAPP' and delete_date is null;

-- The PIN of the second step, sealed. WhatsApp keeps it with the number, whoever has the number, so it is of no account.
create table carrier_pins (
  channel text not null,
  number text not null,
  pin text not null,
  create_date timestamptz not null,
  primary key (channel, number)
);

-- A number that WhatsApp wants shown by a code of its own before it becomes a sender.
create table sender_verifications (
  account_id uuid not null,
  sender_id uuid not null,
  connection_id uuid not null references connections,
  carrier_address text not null,
  verified boolean not null default false,
  -- Asked for in the day that began at `first_date`.
  codes integer not null default 0,
  first_date timestamptz,
  -- When the last code was sent, and how; null: none is on its way.
  code_date timestamptz,
  method text check (method in ('sms', 'voice')),
  -- Wrong ones since.
  tries integer not null default 0,
  primary key (account_id, sender_id)
);

-- What of a sender's profile the carrier has. `revision` counts its changes; `taken` is the one the carrier has answered to.
create table sender_profiles (
  account_id uuid not null,
  sender_id uuid not null,
  revision integer not null default 1,
  taken integer not null default 0,
  -- The attachment that is its picture there.
  picture_id uuid,
  -- [{field, text}] of what the carrier did not take.
  refusals jsonb not null default '[]',
  take_date timestamptz,
  primary key (account_id, sender_id)
);

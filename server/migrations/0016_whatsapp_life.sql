-- WhatsApp senders and templates after the approval: profile, PIN, deregistration and quality.

alter table templates
  -- The quality rating of WhatsApp: GREEN, YELLOW or RED. Null without a rating.
  add column quality text check (quality in ('GREEN', 'YELLOW', 'RED')),
  -- True: WhatsApp paused the template permanently.
  add column disabled boolean not null default false;
-- Finds the owner of a template name on a business account that several companies share.
create index templates_named_anywhere on templates (lower(name), language)
  where channel = 'WHATSAPP' and delete_date is null;

-- The encrypted PIN of a number for two-step verification. WhatsApp keeps it with the number, so it has no account.
create table carrier_pins (
  channel text not null,
  number text not null,
  pin text not null,
  create_date timestamptz not null,
  primary key (channel, number)
);

-- Numbers that WhatsApp verifies with its own code before they become senders.
create table sender_verifications (
  account_id uuid not null,
  sender_id uuid not null,
  connection_id uuid not null references connections,
  carrier_address text not null,
  verified boolean not null default false,
  -- The codes requested in the 24 hours from `first_date`.
  codes integer not null default 0,
  first_date timestamptz,
  -- When the last code was sent. Null: no code is pending. `method` is how it was sent.
  code_date timestamptz,
  method text check (method in ('sms', 'voice')),
  -- Wrong codes since then.
  tries integer not null default 0,
  primary key (account_id, sender_id)
);

-- The profile of a sender at the carrier. `revision` counts its changes.
create table sender_profiles (
  account_id uuid not null,
  sender_id uuid not null,
  revision integer not null default 1,
  -- The last revision that the carrier has responded to.
  taken integer not null default 0,
  -- The attachment used as the profile picture.
  picture_id uuid,
  -- [{field, text}] of the fields that the carrier rejected.
  refusals jsonb not null default '[]',
  take_date timestamptz,
  primary key (account_id, sender_id)
);

-- WhatsApp and Viber: content of messages, senders, sessions, prices by purpose, and templates.

alter table messages
  -- Null: text only. Shape: contract/src/messages/content.ts.
  add column content jsonb,
  add column template_id uuid;

alter table connections drop constraint connections_adapter_check;
alter table connections add constraint connections_adapter_check check (adapter in ('smpp', 'whatsapp', 'viber'));
-- {at, ok, text, url}: the result of the last registration of the callback URL at the carrier.
alter table connections add column callback_state jsonb;

alter table senders drop constraint senders_type_check;
alter table senders add constraint senders_type_check
  check (type in ('local', 'mobile', 'toll_free', 'short_code', 'alphanumeric', 'business'));
alter table senders
  -- The connection of the sender. Null for SMS, where routes choose the connection.
  add column connection_id uuid references connections,
  -- The ID of the sender at the carrier: phone number ID (WhatsApp), service ID (Viber). Null if it equals the code.
  add column carrier_address text,
  -- WhatsApp: the display name. Viber: the English name.
  add column business_name text not null default '',
  -- The carrier state: {quality, limit, throughput, name_status, ...}. For display only.
  add column carrier_state jsonb;

alter table conversations
  -- The end of the session. Null if the contact has not written yet, or if the channel has no sessions.
  add column session_until timestamptz,
  -- Outbound messages since the last inbound message.
  add column session_sent integer not null default 0,
  -- The ID of the contact at the carrier if it is not a phone number. Both identify the conversation.
  add column alias text,
  add column profile_name text not null default '';
create unique index conversations_alias on conversations (account_id, sender_id, alias) where alias is not null;

-- Null: all purposes without a price of their own.
alter table rates add column purpose text;
drop index rates_key;
create unique index rates_key on rates (account_id, channel, country, mccmnc, currency, purpose) nulls not distinct;

create table templates (
  account_id uuid not null references accounts,
  id uuid not null,
  channel text not null check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  name text not null,
  text text not null,
  type text not null check (type in ('text', 'image', 'video', 'document')),
  media_id uuid,
  url text,
  filename text,
  header text,
  footer text,
  buttons jsonb not null default '[]',
  wa_category text,
  -- The WhatsApp sender of the template.
  sender_id uuid,
  language text not null default 'en',
  samples text[] not null default '{}',
  status text not null check (status in ('IN_PROCESS', 'COMPLETED', 'CANCELED')),
  paused boolean not null default false,
  -- {code, text, advice}
  reason jsonb,
  external_id text,
  -- Counts the submissions for review, so that a decision about an earlier one is ignored.
  revision integer not null default 1,
  -- The last revision whose submission to the carrier has started. `submitted` is the revision that the carrier has.
  tried integer not null default 0,
  submitted integer not null default 0,
  user_id uuid,
  create_date timestamptz not null,
  update_date timestamptz not null,
  delete_date timestamptz,
  primary key (account_id, id)
);
create unique index templates_named on templates (account_id, channel, lower(name), language) where delete_date is null;
create index templates_external on templates (external_id) where external_id is not null;
create index templates_queue on templates (channel, status, id) where delete_date is null;
create index messages_template on messages (account_id, template_id) where template_id is not null;
alter table campaigns
  -- The template of the text.
  add column template_id uuid;

-- The last time an account refreshed its templates from the carrier.
create table template_syncs (
  account_id uuid primary key references accounts,
  date timestamptz not null
);

-- WhatsApp and Viber: what messages carry, who they come from, sessions, prices by purpose, templates.

alter table messages
  -- Null: text only. Shape: contract/src/content.ts.
  add column content jsonb,
  add column template_id uuid;

alter table connections drop constraint connections_adapter_check;
alter table connections add constraint connections_adapter_check check (adapter in ('smpp', 'whatsapp', 'viber'));
-- {at, ok, text, url}: what came of telling the carrier where to call back.
alter table connections add column callback_state jsonb;

alter table senders drop constraint senders_type_check;
alter table senders add constraint senders_type_check
  check (type in ('local', 'mobile', 'toll_free', 'short_code', 'alphanumeric', 'business'));
alter table senders
  -- Which connection carries it, where that is not a matter of routes; null for SMS.
  add column connection_id uuid references connections,
  -- How the carrier knows it: a phone number id of WhatsApp, a service id of Viber; null where it is the code.
  add column carrier_address text,
  -- WhatsApp: as people see it. Viber: its English name.
  add column business_name text not null default '',
  -- What the carrier says of it: {quality, limit, throughput, name_status, ...}; shown, never decided by.
  add column carrier_state jsonb;

alter table conversations
  -- Until when the channel lets us write freely; null while the person has not written, or where anybody may.
  add column session_until timestamptz,
  -- Ours since the person wrote last.
  add column session_sent integer not null default 0,
  -- The carrier's own name for the person, where it is not a phone number; either finds the conversation.
  add column alias text,
  add column profile_name text not null default '';
create unique index conversations_alias on conversations (account_id, sender_id, alias) where alias is not null;

-- Null in `purpose`: every purpose without a price of its own.
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
  -- The WhatsApp sender it belongs to.
  sender_id uuid,
  language text not null default 'en',
  samples text[] not null default '{}',
  status text not null check (status in ('IN_PROCESS', 'COMPLETED', 'CANCELED')),
  paused boolean not null default false,
  -- {code, text, advice}
  reason jsonb,
  external_id text,
  -- Counts every sending for review, so that an answer about an earlier one changes nothing.
  revision integer not null default 1,
  -- The revision that was last begun to be handed to the carrier, and the one it has.
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
  -- What its text was taken from.
  add column template_id uuid;

-- When an account last asked the carrier how its templates stand.
create table template_syncs (
  account_id uuid primary key references accounts,
  date timestamptz not null
);

-- Short links. A link in a text has one row here and a code for each recipient.
create table links (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  name text not null default '',
  -- A verified domain of the account. Null: the domain of the installation.
  domain text,
  source text not null check (source in ('manual', 'api', 'message', 'campaign')),
  -- The code of a link without recipients.
  code text,
  campaign_id uuid,
  tags text[] not null default '{}',
  expire_date timestamptz,
  max_clicks integer check (max_clicks > 0),
  archived boolean not null default false,
  recipients bigint not null default 0,
  clicks bigint not null default 0,
  unique_clicks bigint not null default 0,
  bot_clicks bigint not null default 0,
  first_click_date timestamptz,
  last_click_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
-- Finds the link of a text again. The hash keeps long URLs out of the index.
create unique index links_of_texts on links (account_id, campaign_id, md5(url)) nulls not distinct
  where source in ('message', 'campaign');
create index links_campaign on links (account_id, campaign_id) where campaign_id is not null;

-- All codes in short URLs, and where they lead. Found by code, before the account is known.
create table link_codes (
  code text primary key,
  account_id uuid not null,
  kind text not null check (kind in ('link', 'opt_out')),
  -- Null for an opt-out.
  link_id uuid,
  -- The recipient's message. Null for a link without recipients.
  message_id uuid,
  number text,
  country text,
  -- The sender that an opt-out stops.
  sender_id uuid
);
create index link_codes_link on link_codes (account_id, link_id) where link_id is not null;

-- Requests for links: clicks by people, and requests by bots and link previews.
create table link_clicks (
  account_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  kind text not null check (kind in ('person', 'bot', 'preview')),
  -- The first click of a person on this link.
  is_unique boolean not null,
  device text not null,
  -- The host of the page that the person came from.
  referrer text not null default '',
  -- Of the recipient's number.
  country text,
  message_id uuid,
  number text,
  click_date timestamptz not null,
  primary key (account_id, id)
);
create index link_clicks_link on link_clicks (account_id, link_id, click_date);

-- Makes the first click of each person on a link count once. The visitor is a recipient's code, or a keyed hash that
-- does not reveal the IP address.
create table link_visitors (
  account_id uuid not null,
  link_id uuid not null,
  visitor text not null,
  primary key (account_id, link_id, visitor)
);

-- Domains of an account for its short links.
create table link_domains (
  account_id uuid not null,
  id uuid not null,
  host text not null,
  token text not null,
  verified boolean not null default false,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index link_domains_account on link_domains (account_id, host);
-- A domain can be verified by one account only.
create unique index link_domains_host on link_domains (host) where verified;

-- People can opt out by a link. The next file validates the constraint.
alter table stop_list drop constraint stop_list_reason_check;
alter table stop_list add constraint stop_list_reason_check
  check (reason in ('keyword', 'manual', 'api', 'operator', 'carrier', 'link')) not valid;

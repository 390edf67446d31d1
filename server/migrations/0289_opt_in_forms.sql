-- Opt-in forms: public pages on which people join an audience after entering a code.
create table opt_in_forms (
  account_id uuid not null,
  id uuid not null,
  audience_id uuid not null,
  -- The sender of the codes and of the welcome message.
  sender_id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused')),
  -- The texts of the page by language, and its fields: see OptInForm in the contract.
  texts jsonb not null,
  fields jsonb not null default '[]',
  purpose text not null check (purpose in ('marketing', 'transactional')),
  country text not null,
  -- A verified domain of the account. Null: the domain of the installation.
  domain text,
  -- The websites that may show the page in a frame.
  origins text[] not null default '{}',
  tags text[] not null default '{}',
  welcome_text text not null default '',
  -- The end of the address. It never changes, because QR codes are printed.
  code text not null,
  -- Why a code could not be sent last.
  last_refusal text not null default '',
  last_refusal_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index opt_in_forms_audience on opt_in_forms (account_id, audience_id);

-- Which form has the code of a requested page.
create table opt_in_form_codes (
  code text primary key,
  account_id uuid not null,
  form_id uuid not null
);

-- What happened on the page of a form, by day in UTC.
create table opt_in_form_days (
  account_id uuid not null,
  form_id uuid not null,
  day date not null,
  views integer not null default 0,
  started integer not null default 0,
  confirmed integer not null default 0,
  -- Codes that could not be sent.
  refused integer not null default 0,
  primary key (account_id, form_id, day)
);

-- What a person has entered, until the code is confirmed. Deleted after a day.
create table opt_in_submissions (
  account_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  -- The secret of the page that asks for the code.
  token_hash bytea not null,
  number text not null,
  country text not null,
  -- The values of the fields by their keys.
  entries jsonb not null,
  language text not null,
  -- The exact text that the person agrees to.
  consent text not null,
  -- The page on which the person entered the number.
  page text not null,
  address text not null,
  network text not null,
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'stopped')),
  person_id uuid,
  welcome_message_id uuid,
  create_date timestamptz not null,
  primary key (account_id, id)
);
create index opt_in_submissions_number on opt_in_submissions (account_id, number);
create index opt_in_submissions_network on opt_in_submissions (account_id, network, create_date);
create index opt_in_submissions_old on opt_in_submissions (create_date);

-- The opt-in form that a code belongs to. Null: a program of the account sent the code.
alter table sent_codes add column form_id uuid;

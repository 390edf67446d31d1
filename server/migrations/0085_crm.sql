-- Connections to CRMs, and the messages that are logged there.
create table crm_connections (
  account_id uuid not null references accounts(id),
  provider text not null,
  company_id text not null,
  company_name text not null,
  company_url text not null,
  sender_id uuid,
  logs_messages boolean not null default true,
  -- The type of the activities; null until it is known.
  activity_type text,
  last_error text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, provider)
);

-- Finds the account of a company at the CRM.
create table crm_companies (
  provider text not null,
  company_id text not null,
  account_id uuid not null,
  primary key (provider, company_id)
);

-- People of the company who have connected their login at the CRM.
create table crm_users (
  account_id uuid not null,
  provider text not null,
  -- At the CRM.
  id text not null,
  -- The user in whose name this person sends.
  user_id uuid not null,
  name text not null,
  email text not null,
  api_url text not null,
  -- Sealed.
  access_token text not null,
  refresh_token text not null,
  token_expire_date timestamptz not null,
  -- `broken`: the CRM no longer accepts the tokens.
  state text not null default 'active' check (state in ('active', 'broken')),
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, provider, id)
);

-- Access tokens of panels inside the CRM.
create table crm_sessions (
  token_hash bytea primary key,
  id uuid not null,
  account_id uuid not null,
  provider text not null,
  crm_user_id text not null,
  expire_date timestamptz not null
);
create index crm_sessions_account on crm_sessions (account_id, provider, crm_user_id);
create index crm_sessions_expire on crm_sessions (expire_date);

-- The person of a number. Without a person, the CRM had none when it was asked.
create table crm_people (
  account_id uuid not null,
  provider text not null,
  number text not null,
  person_id text,
  deal_id text,
  check_date timestamptz not null default now(),
  primary key (account_id, provider, number)
);

-- Messages that become activities, each at most once.
create table crm_logs (
  account_id uuid not null,
  provider text not null,
  message_id uuid not null,
  person_id text,
  deal_id text,
  crm_user_id text,
  -- `submitting`: the CRM may have the activity. `skipped`: the CRM has no person with the number.
  status text not null default 'pending' check (status in ('pending', 'submitting', 'done', 'skipped', 'failed')),
  activity_id text,
  error text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, provider, message_id)
);
create index crm_logs_date on crm_logs (account_id, provider, create_date);

create table crm_position (
  sole boolean default true primary key check (sole),
  seq bigint not null
);
insert into crm_position (seq) select coalesce(max(seq), 0) from event_position;

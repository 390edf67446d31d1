-- Assistance in the inbox by a language model. The model of the installation:
create table assistance_provider (
  singleton boolean primary key default true check (singleton),
  enabled boolean not null,
  url text not null,
  -- Encrypted. Null: the model needs no key.
  api_key text,
  model text not null,
  -- In micro-units of a US dollar for 1,000 tokens.
  input_price_micros bigint not null check (input_price_micros >= 0),
  output_price_micros bigint not null check (output_price_micros >= 0),
  timeout_seconds integer not null check (timeout_seconds > 0),
  account_cap_micros bigint not null check (account_cap_micros >= 0),
  update_date timestamptz not null default now()
);

-- Without a row, assistance is off.
create table assistance_settings (
  account_id uuid primary key,
  enabled boolean not null,
  masks_personal_data boolean not null,
  -- Null: as much as the operator allows.
  monthly_cap_micros bigint check (monthly_cap_micros >= 0),
  retention_days integer not null check (retention_days > 0),
  update_date timestamptz not null default now()
);

-- What an account has spent in a month, with what its running requests can cost.
create table assistance_months (
  account_id uuid not null,
  month date not null,
  cost_micros bigint not null,
  primary key (account_id, month)
);

-- The log. A job deletes requests that are older than the account keeps them.
create table assistance_requests (
  account_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  action text not null,
  language text,
  status text not null default 'running' check (status in ('running', 'completed', 'failed', 'canceled')),
  model text not null,
  -- Masked: numbers, email addresses, and names are placeholders.
  prompt text not null,
  response text not null default '',
  error text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  -- While the request is running, the most that it can cost.
  cost_micros bigint not null,
  duration_ms integer,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index assistance_requests_conversation on assistance_requests (account_id, conversation_id);

-- Webhooks and their deliveries. The position is the last event whose deliveries have been created.
create table webhooks (
  account_id uuid not null references accounts(id),
  id uuid not null,
  url text not null,
  -- Sealed.
  secret text not null,
  previous_secret text,
  previous_secret_expire_date timestamptz,
  -- `message` or `delivery`; null for a webhook with `events`.
  event text check (event in ('message', 'delivery')),
  events text[] not null default '{}',
  channels text[] not null default '{}',
  sender_ids uuid[] not null default '{}',
  signature_header text not null,
  signature_encoding text not null check (signature_encoding in ('base64', 'hex')),
  -- False if the user who chose the events cannot view amounts.
  sees_spend boolean not null,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  -- Failed attempts since the last success, and the time of the first one.
  failures integer not null default 0,
  failing_since timestamptz,
  -- The circuit breaker: no attempts before this time.
  open_until timestamptz,
  -- The earliest time when a delivery may be due. Null: none is pending.
  next_date timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  delete_date timestamptz,
  primary key (account_id, id)
);
create unique index webhooks_event on webhooks (account_id, event) where event is not null and delete_date is null;
create index webhooks_next on webhooks (next_date) where next_date is not null;

create table webhook_deliveries (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event text not null,
  -- The position of the event. Deliveries with the same order key are sent in this order.
  seq bigint not null default 0,
  order_key text,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- The next attempt. While an attempt runs, the end of its lease.
  due_date timestamptz not null default now(),
  -- Attempts since the delivery was created or sent again.
  tries smallint not null default 0,
  attempts_count integer not null default 0,
  -- The last 30: [{at, response_status, response_body, error, ms}].
  attempts jsonb not null default '[]',
  response_status integer,
  error text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index webhook_deliveries_log on webhook_deliveries (account_id, webhook_id, id);
create index webhook_deliveries_message on webhook_deliveries (account_id, webhook_id, order_key, seq);
create index webhook_deliveries_due on webhook_deliveries (account_id, webhook_id, due_date) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (account_id, webhook_id, update_date)
  where status = 'failed';

create table webhook_position (
  sole boolean default true primary key check (sole),
  seq bigint not null
);
insert into webhook_position (seq) select coalesce(max(seq), 0) from event_position;

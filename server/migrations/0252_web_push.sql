-- Notifications on the devices of users (web push). The keys of this installation are created once.
create table push_keys (
  singleton boolean primary key default true check (singleton),
  public_key text not null,
  -- Encrypted.
  private_key text not null,
  create_date timestamptz not null default now()
);

-- The browsers that get notifications. A device stops with the session in which it was added.
create table push_devices (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  name text not null,
  -- Encrypted: the address of the push service and the keys of the browser.
  subscription text not null,
  endpoint_hash bytea not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, endpoint_hash)
);
create index push_devices_user on push_devices (account_id, user_id, id);

-- What users are notified of. Without a row: everything, at all times.
create table push_settings (
  account_id uuid not null,
  user_id uuid not null,
  new_messages boolean not null,
  assignments boolean not null,
  mentions boolean not null,
  -- In the account's time zone. Null: no quiet hours.
  quiet_from text,
  quiet_until text,
  primary key (account_id, user_id)
);

-- Notifications that still have to be sent. A row is deleted when the push service has it, or when it is given up.
create table push_deliveries (
  account_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  kind text not null check (kind in ('message', 'assignment', 'mention')),
  conversation_id uuid not null,
  -- The message, or the note that mentions the user.
  target_id uuid,
  attempts smallint not null default 0,
  -- Not before this time. A worker that sends it moves it forward.
  next_date timestamptz not null,
  create_date timestamptz not null,
  primary key (account_id, id)
);
create unique index push_deliveries_waiting on push_deliveries (account_id, device_id, kind, conversation_id)
  where attempts = 0;
create index push_deliveries_due on push_deliveries (next_date);

-- The last event from which notifications were created.
create table push_position (
  singleton boolean primary key default true check (singleton),
  seq bigint not null
);
insert into push_position (seq) select seq from event_position;

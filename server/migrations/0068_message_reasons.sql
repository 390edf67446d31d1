-- Why messages were accepted or refused.

-- What the gate checked when it accepted the messages of one hold. What it checked per message is in the message.
create table message_decisions (
  account_id uuid not null,
  hold_id uuid not null,
  -- Shape: contract/src/messages/decisions.ts.
  decision jsonb not null,
  primary key (account_id, hold_id)
);

-- Calls that the API refused, for the message log. They are kept for 30 days.
create table refused_calls (
  account_id uuid not null,
  id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  code integer not null,
  message text not null,
  field text,
  -- What the call asked for, as far as it could be read.
  channel text,
  "from" text,
  "to" text,
  user_id uuid,
  key_id uuid,
  request_id text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create index refused_calls_old on refused_calls (create_date);

-- The status of a conversation, the activity in it, and the settings of the inbox.
alter table conversations
  -- open, pending (waiting for the contact), snoozed, or closed.
  add column status text not null default 'open',
  -- When a snoozed conversation opens again.
  add column snooze_until timestamptz,
  -- The time of the first inbound message that nobody has answered.
  add column waiting_since timestamptz;
alter table conversations add constraint conversations_status_check
  check (status in ('open', 'pending', 'snoozed', 'closed') and (snooze_until is not null) = (status = 'snoozed'))
  not valid;

-- What users and Parley did in a conversation, apart from messages and assignments.
create table conversation_entries (
  account_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  kind text not null check (kind in ('note', 'status', 'collision')),
  -- Null: Parley made the entry.
  user_id uuid,
  text text not null default '',
  -- Shape: contract/src/inbox/entries.ts.
  detail jsonb not null default '{}',
  create_date timestamptz not null default now(),
  -- When the note was last edited.
  update_date timestamptz,
  primary key (account_id, id)
);
create index conversation_entries_recent on conversation_entries (account_id, conversation_id, id desc);

create table inbox_settings (
  account_id uuid primary key,
  -- Days without a message until a conversation closes. Null: conversations never close automatically.
  auto_close_days smallint check (auto_close_days between 1 and 365),
  update_date timestamptz not null default now()
);
create index inbox_settings_auto_close on inbox_settings (account_id) where auto_close_days is not null;

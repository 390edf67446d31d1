-- Teams of the inbox, the availability of users, and the rules for conversations that a contact opens.
create table inbox_teams (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create table inbox_team_users (
  account_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  -- When a rule last chose the user, for turns.
  last_assigned_date timestamptz,
  primary key (account_id, team_id, user_id)
);
create table inbox_agents (
  account_id uuid not null,
  user_id uuid not null,
  away boolean not null default false,
  -- Null: no limit.
  capacity integer check (capacity >= 1),
  primary key (account_id, user_id)
);
create table inbox_rules (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  enabled boolean not null default false,
  position integer not null,
  -- Shapes: contract/src/inbox/rules.ts.
  conditions jsonb not null,
  actions jsonb not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
alter table inbox_settings
  -- Shape: OfficeHours in contract/src/inbox/settings.ts. Null: the office is always open.
  add column office_hours jsonb;
alter table conversations
  -- The inbound message that created the conversation or opened it after it was closed.
  add column opened_message_id uuid,
  -- The opening message to which the rules were last applied, and the one to which they replied.
  add column rules_message_id uuid,
  add column rule_reply_id uuid;
alter table conversation_assignments
  -- The name of the rule that made the change; null: a user or Parley made it.
  add column rule_name text;
alter table conversation_entries drop constraint conversation_entries_kind_check;
alter table conversation_entries add constraint conversation_entries_kind_check
  check (kind in ('note', 'status', 'collision', 'rule')) not valid;

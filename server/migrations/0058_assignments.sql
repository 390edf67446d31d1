-- Every change of the assignee of a conversation. Null is unassigned; without `by_user_id`, Parley made the change.
create table conversation_assignments (
  account_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  from_user_id uuid,
  to_user_id uuid,
  by_user_id uuid,
  create_date timestamptz not null default now(),
  -- When the new assignee first opened the conversation.
  seen_date timestamptz,
  primary key (account_id, id)
);
create index conversation_assignments_recent on conversation_assignments (account_id, conversation_id, id desc);

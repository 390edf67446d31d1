-- The users who have a conversation open, and whether they are typing. A row expires a minute after its last update.
create table conversation_presence (
  account_id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  is_typing boolean not null,
  start_date timestamptz not null,
  seen_date timestamptz not null,
  primary key (account_id, conversation_id, user_id)
);

-- The users whom notes mention. Mentions are deleted with their note.
create table conversation_mentions (
  account_id uuid not null,
  user_id uuid not null,
  entry_id uuid not null,
  conversation_id uuid not null,
  -- When the mentioned user opened the conversation.
  seen_date timestamptz,
  primary key (account_id, user_id, entry_id)
);
create index conversation_mentions_unseen on conversation_mentions (account_id, user_id, conversation_id)
  where seen_date is null;

-- What users have typed in conversations and not sent yet.
create table conversation_drafts (
  account_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  reply text not null default '',
  note text not null default '',
  update_date timestamptz not null default now(),
  primary key (account_id, user_id, conversation_id),
  check (reply <> '' or note <> '')
);

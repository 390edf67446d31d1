-- How long the contents of messages and notes are kept. Null: as long as the account.
alter table accounts add column content_days integer;
alter table accounts add constraint accounts_content_days_check
  check (content_days >= 30 and content_days <= 3650) not valid;
alter table accounts validate constraint accounts_content_days_check;

-- How far the contents of an account have been deleted. Each run continues from there.
create table content_retention (
  account_id uuid primary key,
  -- The last message and the last entry of a conversation that were checked.
  messages_after uuid not null default '00000000-0000-0000-0000-000000000000',
  entries_after uuid not null default '00000000-0000-0000-0000-000000000000',
  messages_count bigint not null default 0,
  run_date timestamptz not null
);

-- Messages that were still to be sent when their turn came, such as messages scheduled for a later month.
create table content_retention_waiting (
  account_id uuid not null,
  message_id uuid not null,
  primary key (account_id, message_id)
);

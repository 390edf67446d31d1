-- no transaction
-- Counts the open conversations of a user, and checks the entries that exist.
create index concurrently if not exists conversations_assignee_open on conversations (account_id, assignee_id)
  where status = 'open' and delete_date is null;
alter table conversation_entries validate constraint conversation_entries_kind_check;

-- no transaction
-- The conversations of one user, and the unassigned ones, newest first.
create index concurrently if not exists conversations_assignee
  on conversations (account_id, assignee_id, "timestamp" desc) where delete_date is null;

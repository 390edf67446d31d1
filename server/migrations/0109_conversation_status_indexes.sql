-- no transaction
-- The conversations of an account by status, newest first, and the snoozed ones by the time when they open again.
create index concurrently if not exists conversations_status
  on conversations (account_id, status, "timestamp" desc) where delete_date is null;
create index concurrently if not exists conversations_snoozed on conversations (snooze_until) where status = 'snoozed';
alter table conversations validate constraint conversations_status_check;

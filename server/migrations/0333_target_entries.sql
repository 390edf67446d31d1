-- no transaction
-- Checks the entries that exist.
alter table conversation_entries validate constraint conversation_entries_kind_check;

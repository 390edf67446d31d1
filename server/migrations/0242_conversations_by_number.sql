-- no transaction
-- The conversations of a person with all senders.
create index concurrently if not exists conversations_number on conversations (account_id, number);

-- no transaction
-- The messages of an account that carry a code, for the filter of the message log.
create index concurrently if not exists messages_verification
  on messages (account_id, id) where verification_status is not null;

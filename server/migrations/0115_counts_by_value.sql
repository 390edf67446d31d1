-- no transaction
-- Finds the slots with messages of one value, such as one country, without reading the slots of the others.
create index concurrently if not exists message_counts_value
  on message_counts (account_id, dimension, value, slot) include (channel, messages, received);

-- no transaction
-- A person has one ID on each channel.
create unique index concurrently if not exists person_numbers_channel
  on person_numbers (account_id, person_id, channel) where channel is not null;

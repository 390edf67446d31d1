-- no transaction
-- Finds the conversations whose messages have to be added to the texts.
create index concurrently if not exists conversations_texts_due on conversations (account_id, id) where texts_due;

-- no transaction
-- The contacts of a person in all audiences.
create index concurrently if not exists contacts_person on contacts (account_id, number text_pattern_ops);

-- no transaction
-- People with the same full name, who may be the same person.
create index concurrently if not exists people_full_name
  on people (account_id, lower(first_name), lower(last_name)) where first_name <> '' and last_name <> '';

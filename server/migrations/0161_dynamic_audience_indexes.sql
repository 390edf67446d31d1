-- no transaction
-- Draws a random sample of the people of an account.
create index concurrently if not exists people_sample on people (account_id, uuid_hash(id));
-- The clicks of a person.
create index concurrently if not exists link_clicks_number on link_clicks (account_id, number, click_date)
  where number is not null;

-- The news that a user has seen last; null until they open them.
alter table users add column news_seen text;

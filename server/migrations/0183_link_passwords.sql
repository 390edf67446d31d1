-- People enter this password before the link redirects them. Null: no password.
alter table links add column password_hash text;

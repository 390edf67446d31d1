-- no transaction
create index concurrently if not exists violations_inherited on violations (limit_account_id, id)
  where limit_account_id is not null;

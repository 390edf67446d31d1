-- How many rows a file of contacts can have. Operators raise it for single accounts.
alter table accounts
  add column import_rows integer not null default 100000 check (import_rows between 100000 and 1000000);

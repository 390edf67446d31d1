-- The result of the last check of all ledgers, shared by all processes.
create table ledger_checks (
  sole boolean primary key default true check (sole),
  mismatch_count integer not null,
  check_date timestamptz not null
);
insert into ledger_checks (mismatch_count, check_date) values (0, now());

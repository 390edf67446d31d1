-- The last look at all ledgers at once, by whichever worker had the turn: every process can tell of it.
create table ledger_checks (
  sole boolean primary key default true check (sole),
  mismatch_count integer not null,
  check_date timestamptz not null
);
insert into ledger_checks (mismatch_count, check_date) values (0, now());

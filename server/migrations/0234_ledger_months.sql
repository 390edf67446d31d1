-- The sums of the ledger entries of each account and month in UTC, stored once the month has ended. They only save the
-- reading of millions of entries: the doctor compares them with the ledger.
create table ledger_months (
  account_id uuid not null,
  month date not null,
  kind text not null,
  debit text not null,
  credit text not null,
  amount_micros bigint not null,
  entries_count bigint not null,
  primary key (account_id, month, kind, debit, credit)
);

-- The entries before this day are in `ledger_months`.
create table ledger_month_marks (
  account_id uuid primary key,
  counted_until date not null
);

-- Whether the account gets its statement by email at the end of a month.
alter table payment_accounts add column sends_statements boolean not null default false;

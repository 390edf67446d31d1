-- no transaction
-- Completes the changes of the migration before it without blocking the table.
alter table ledger validate constraint ledger_debit_check;
alter table ledger validate constraint ledger_credit_check;
alter table ledger validate constraint ledger_kind_check;

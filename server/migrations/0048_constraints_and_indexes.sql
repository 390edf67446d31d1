-- no transaction
-- Completes the changes of the migrations before it without blocking the tables.
create index concurrently if not exists dispatch_held on dispatch (connection_id) where held;
alter table ledger validate constraint ledger_kind_check;
alter table messages validate constraint messages_source_check;

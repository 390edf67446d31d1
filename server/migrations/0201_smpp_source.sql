-- no transaction
alter table messages validate constraint messages_source_check;

-- no transaction
alter table stop_list validate constraint stop_list_reason_check;

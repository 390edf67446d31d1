-- no transaction
alter table limits validate constraint limits_type_check;

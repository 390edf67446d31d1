-- no transaction
-- Finds what a person did on behalf of other users, without reading the audit logs of all accounts.
create index concurrently if not exists audit_log_real on audit_log (real_user_id) where real_user_id is not null;

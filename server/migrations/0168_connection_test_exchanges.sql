-- The request of a connection test over HTTP and its response, as operators see them. Secrets are masked.
alter table connection_tests add column exchange jsonb;

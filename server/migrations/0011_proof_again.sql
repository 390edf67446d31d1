-- The last authentication with password or passkey, in this session or in the one that opened it. For a while after
-- it, no re-authentication is needed.
alter table sessions add column prove_date timestamptz;

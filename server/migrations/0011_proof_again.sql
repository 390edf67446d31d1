-- When the person signed in with password or passkey, in this session or in the one it was opened from: for a while nobody asks again.
alter table sessions add column prove_date timestamptz;

-- The password that an SMPP account had before its replacement, and until when programs may still bind with it.
alter table smpp_accounts
  -- Sealed.
  add column previous_password text,
  add column previous_expire_date timestamptz;

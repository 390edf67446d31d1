-- Keys that people create: expiry, allowed addresses, and rotation.
alter table api_keys
  -- The beginning of the key, which lists show. Empty for keys that have no prefix.
  add column start text not null default '',
  -- IP addresses and networks that may use the key. Empty: all.
  add column addresses text[] not null default '{}',
  add column expire_date timestamptz,
  -- The key from before the last rotation, which stays valid until its date.
  add column previous_hash bytea,
  add column previous_expire_date timestamptz,
  add column last_used_address text,
  add column user_id uuid,
  add column update_date timestamptz not null default now();
create unique index api_keys_previous on api_keys (previous_hash) where previous_hash is not null;

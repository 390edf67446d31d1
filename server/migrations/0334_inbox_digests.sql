-- The users who get a digest of the inbox by email, and when the next one is due. Users without a row get none.
create table inbox_digests (
  account_id uuid not null,
  user_id uuid not null,
  -- 24: every day at `at_time` in `timezone`.
  every_hours smallint not null check (every_hours in (2, 4, 8, 24)),
  at_time text not null,
  timezone text not null,
  next_date timestamptz not null,
  primary key (account_id, user_id)
);
create index inbox_digests_next on inbox_digests (next_date);

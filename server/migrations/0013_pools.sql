-- Number pools: several numbers of an account that share one sender.

-- The members of number pools. The shared sender is a member of its own pool, so that the primary key keeps each number
-- in one pool and no pool in another.
create table sender_members (
  account_id uuid not null references accounts,
  sender_id uuid not null,
  pool_id uuid not null,
  weight integer not null default 1 check (weight between 1 and 100),
  create_date timestamptz not null,
  primary key (account_id, sender_id)
);
create index sender_members_pool on sender_members (account_id, pool_id, sender_id);

-- The pool member that each recipient knows: the one that last messaged them, or that they last messaged.
create table sender_pairs (
  account_id uuid not null,
  pool_id uuid not null,
  number text not null,
  sender_id uuid not null,
  primary key (account_id, pool_id, number)
);

-- Accepted messages per pool member and day (UTC).
create table sender_member_days (
  account_id uuid not null,
  pool_id uuid not null,
  sender_id uuid not null,
  day date not null,
  messages integer not null,
  primary key (account_id, pool_id, sender_id, day)
);

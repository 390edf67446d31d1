-- Pools: several numbers of an account behind one sender.

-- The sender itself stands among its numbers, so that a key keeps each number behind one sender only, and no pool behind another.
create table sender_members (
  account_id uuid not null references accounts,
  sender_id uuid not null,
  pool_id uuid not null,
  weight integer not null default 1 check (weight between 1 and 100),
  create_date timestamptz not null,
  primary key (account_id, sender_id)
);
create index sender_members_pool on sender_members (account_id, pool_id, sender_id);

-- Which of the numbers a person knows: they got a message from it last, or wrote to it.
create table sender_pairs (
  account_id uuid not null,
  pool_id uuid not null,
  number text not null,
  sender_id uuid not null,
  primary key (account_id, pool_id, number)
);

-- Messages accepted from each number, by the day (UTC).
create table sender_member_days (
  account_id uuid not null,
  pool_id uuid not null,
  sender_id uuid not null,
  day date not null,
  messages integer not null,
  primary key (account_id, pool_id, sender_id, day)
);

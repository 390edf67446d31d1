-- Senders of operators that accounts may use for tests. They send only to the phones of the account.

alter table senders
  -- The shared sender of the operators that this row represents. Null for the other senders.
  add column lent_from uuid;
create unique index senders_lent on senders (account_id, lent_from) where lent_from is not null;

-- The name of a shared sender does not block the names of the account.
drop index senders_named;
create unique index senders_named on senders (account_id, channel, name)
  where delete_date is null and lent_from is null;

-- Several accounts can share one sender. A reply belongs to the account that messaged the phone last.
create table lent_answers (
  channel text not null,
  address text not null,
  number text not null,
  account_id uuid not null,
  sender_id uuid not null,
  create_date timestamptz not null,
  primary key (channel, address, number)
);

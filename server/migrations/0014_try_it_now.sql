-- Senders of the operators, lent to an account for trying: they write to the account's own phones and to nobody else.

alter table senders
  -- The operators' sender it stands for.
  add column lent_from uuid;
create unique index senders_lent on senders (account_id, lent_from) where lent_from is not null;

-- What is lent is named by us, and must not stand in the way of a name of theirs.
drop index senders_named;
create unique index senders_named on senders (account_id, channel, name) where delete_date is null and lent_from is null;

-- Many accounts may have been lent one sender: an answer belongs to whoever wrote to that phone last.
create table lent_answers (
  channel text not null,
  address text not null,
  number text not null,
  account_id uuid not null,
  sender_id uuid not null,
  create_date timestamptz not null,
  primary key (channel, address, number)
);

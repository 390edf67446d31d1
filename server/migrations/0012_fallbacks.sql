-- Order of preference: other ways for a message to go, one after another, when the one before does not arrive.

-- Only of messages that have other ways; a campaign's have none.
create table fallbacks (
  account_id uuid not null,
  message_id uuid not null,
  -- All legs in their order, the message as it was accepted first. Shape: server/src/messages/legs.ts.
  legs jsonb not null,
  -- Place in `legs` of the one in effect: its channel, sender and words are the message's.
  current smallint not null default 0,
  -- When what is in effect is passed on, if nothing is heard of it; or when nothing may follow any more.
  due_date timestamptz,
  -- A carrier has had it, or may have: it cannot be called back.
  handed boolean not null default false,
  -- Of its rows in the queue.
  priority smallint not null,
  primary key (account_id, message_id)
);
create index fallbacks_due on fallbacks (due_date) where due_date is not null;

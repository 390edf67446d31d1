-- Messages of a test key are stored in test_messages.
alter table api_keys add column test boolean not null default false;

-- Messages sent with test keys. They have a table of their own, so that no list, count, price, or limit of live
-- messages can include them.
create table test_messages (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  status text not null,
  channel text not null,
  "from" text not null,
  "to" text not null,
  -- Shape: Message in contract/src/messages/messages.ts. The columns above take precedence.
  message jsonb not null,
  payload text,
  -- Shape: TimelineEntry in the same file.
  timeline jsonb not null,
  create_date timestamptz not null,
  update_date timestamptz not null,
  primary key (account_id, id)
);

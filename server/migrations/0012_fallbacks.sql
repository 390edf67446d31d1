-- Fallbacks: the next channels to try if a message is not delivered.

-- The fallbacks of messages. Campaign messages have none.
create table fallbacks (
  account_id uuid not null,
  message_id uuid not null,
  -- All fallback steps in order. The first is the message as accepted.
  -- Shape: server/src/messages/model/fallback_steps.ts.
  legs jsonb not null,
  -- The index of the step in effect. The message has the channel, sender and text of this step.
  current smallint not null default 0,
  -- The time to start the next step if no receipt arrives, or the time after which no step may start.
  due_date timestamptz,
  -- True: a carrier has the message or may have it, so it cannot be canceled.
  handed boolean not null default false,
  -- The priority of its rows in the queue.
  priority smallint not null,
  primary key (account_id, message_id)
);
create index fallbacks_due on fallbacks (due_date) where due_date is not null;

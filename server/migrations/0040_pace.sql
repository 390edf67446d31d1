-- The part of the pace learned from throttled responses that falls to this bind, in segments per second. Null if the
-- carrier has not throttled.
alter table binds
  add column pace_per_second integer,
  -- The messages that the carrier throttled.
  add column throttled_count bigint not null default 0;

alter table dispatch alter column
  -- Lower values come first: 1 for codes, 3 for conversations, 5 for single messages, 9 for campaigns. The even number
  -- before each is for messages that the carrier refused temporarily.
  priority set default 5;

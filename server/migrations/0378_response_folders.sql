-- Folders and shortcuts of responses. A shortcut finds a response in the composer. It is unique among the shared
-- responses of an account, and among the private ones of a user.

alter table responses
  add column folder text,
  add column shortcut text;

create unique index responses_own_shortcut on responses (account_id, user_id, shortcut) where not shared;
create unique index responses_shared_shortcut on responses (account_id, shortcut) where shared;

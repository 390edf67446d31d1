-- True: the message was in the queue when a new epoch began, so it may have been sent. It waits for evidence or for an
-- operator's decision.
alter table dispatch add column held boolean not null default false;
create index dispatch_held on dispatch (connection_id) where held;

-- True: the campaign ran or may have run when a new epoch began, so contacts after its cursor may already have the
-- message. Messages created from then on are marked.
alter table campaigns add column possible_duplicate boolean not null default false;

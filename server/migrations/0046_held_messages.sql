-- True: the message was queued when a new epoch began, so it may have been sent. Evidence or an operator's decision
-- settles it.
alter table dispatch add column held boolean not null default false;

-- True: the campaign ran or may have run when a new epoch began, so contacts after its cursor may already have the
-- message. Messages created from then on are marked.
alter table campaigns add column possible_duplicate boolean not null default false;

-- Events that were committed before 0049 and had no position yet.
insert into events (account_id, id, type, payload, live, many)
select account_id, id, type, payload, live, many from earlier_events where seq is null;
drop table earlier_events;

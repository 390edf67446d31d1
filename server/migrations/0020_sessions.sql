-- Ours in the session there is, answered or not: carriers limit that as well.
alter table conversations add column session_sent_all integer not null default 0;

-- Outbound messages in the current session, with or without a reply. Carriers limit this number too.
alter table conversations add column session_sent_all integer not null default 0;

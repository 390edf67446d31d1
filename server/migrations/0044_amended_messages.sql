-- What happens to a message after it was stored: edits, deletion, reactions; and what an inbound message was about.

alter table messages
  -- Null for most messages. Shape: contract/src/messages/marks.ts.
  add column marks jsonb;

alter table messages drop constraint messages_source_check;
alter table messages add constraint messages_source_check
  check (source in ('api', 'campaign', 'inbox', 'reply', 'test', 'phone', 'phone_app', 'verification')) not valid;

alter table connections
  -- The last error that the carrier reported about the connection rather than a message.
  add column error_date timestamptz,
  add column error_text text not null default '';

-- A text that an automation sends to people whose session is open, on channels that otherwise need a template.
alter table campaigns add column session_text text;
comment on column campaigns.session_text is
  'Sent instead of the template to people whose session is open; null: everyone gets the template';

-- Sent by automations instead of the template to people whose session is open. Null: everyone gets the template.
alter table campaigns add column session_text text;

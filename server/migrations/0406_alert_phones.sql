-- Users who get a text message when the balance is low. Processes of the previous release send emails only.
alter table alert_settings add column phone_user_ids uuid[] not null default '{}';
-- The time of the last text messages. The next are sent an hour later at the earliest.
alter table alert_settings add column text_date timestamptz;

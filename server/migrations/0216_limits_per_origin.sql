-- Limits of the spend per API key, user, and campaign.
alter table limits drop constraint limits_type_check;
alter table limits add constraint limits_type_check check (type in (
  'messages', 'spend', 'messages_per_recipient', 'messages_per_sender', 'messages_per_key', 'spend_per_key',
  'spend_per_user', 'spend_per_campaign'
));

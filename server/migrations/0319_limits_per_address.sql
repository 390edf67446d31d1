-- Limits of the messages from one IP address. The next file validates the constraint.
alter table limits drop constraint limits_type_check;
alter table limits add constraint limits_type_check check (type in (
  'messages', 'spend', 'messages_per_recipient', 'messages_per_sender', 'messages_per_key', 'messages_per_address',
  'spend_per_key', 'spend_per_user', 'spend_per_campaign'
)) not valid;

-- Finds the inbound messages of a sender in a period, for the replies to a campaign. Outbound messages do not need it.

create index messages_inbound on messages (account_id, sender_id, id) where direction = 'MO';

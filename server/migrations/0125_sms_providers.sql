-- Connections to SMS providers over HTTP.
alter table connections drop constraint connections_adapter_check;
alter table connections add constraint connections_adapter_check
  check (adapter in ('smpp', 'twilio', 'vonage', 'telnyx', 'infobip', 'sinch', 'generic', 'whatsapp', 'viber'));

-- What arrived with a part of a message, while an account records carrier payloads.
alter table inbound_parts add column payload jsonb;

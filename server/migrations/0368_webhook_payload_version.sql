-- The version of the payloads of a webhook. The previous release adds webhooks without it.
alter table webhooks add column payload_version text not null default '2026-11-30';

-- The code of the problem of an invalid row; null for other rows.
alter table import_rows add column code integer;

-- A keyword that only starts automations. Its effect is stored as none, which the previous release understands.
alter table keywords add column automation boolean not null default false;

-- The number of a contact that a campaign skipped, who may be in no audience. Empty in rows of earlier releases.
alter table campaign_skips add column number text not null default '';

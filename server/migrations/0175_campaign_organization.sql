-- The most campaign messages that a person gets, and the organization of campaigns.
-- See FrequencyCap in the contract. Null: no limit.
alter table accounts add column frequency_cap jsonb;

alter table campaigns
  -- Set for archived campaigns. Lists hide them unless they are requested.
  add column archive_date timestamptz,
  add column tags text[] not null default '{}',
  -- A note of the team about the campaign.
  add column note text not null default '';

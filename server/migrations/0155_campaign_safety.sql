-- Safeguards of campaigns.
alter table campaigns
  -- See CampaignSafety in the contract. Empty: none.
  add column safety jsonb not null default '{}',
  -- The number of messages of the canary; null: no canary. Set at the start.
  add column canary_size integer,
  -- When the results of the canary are checked. Set once carriers have accepted its messages.
  add column canary_date timestamptz,
  add column canary_passed boolean not null default false,
  -- The figures when a user resumed the campaign after a limit paused it. Only later results count.
  add column safety_offset jsonb,
  -- The figures that paused the campaign.
  add column safety_tripped jsonb;

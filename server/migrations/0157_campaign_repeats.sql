-- Campaigns that repeat. Each run is a campaign of its own.
alter table campaigns
  -- See CampaignRepeat in the contract. Null: the campaign does not repeat. Its schedule is the time of the next run.
  add column repeat jsonb,
  -- The time of the first run, from which the others are calculated.
  add column repeat_date timestamptz,
  -- The repeating campaign that a run belongs to.
  add column series_id uuid,
  -- The scheduled time of the run.
  add column run_date timestamptz;

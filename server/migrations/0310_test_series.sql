-- Campaigns of test keys can repeat, come from a file, and go to dynamic audiences, like live ones.
alter table test_audiences add column conditions jsonb;

alter table test_campaigns
  -- The repeating campaign of which this is a run.
  add column series_id uuid,
  -- Shape: CampaignForecast in contract/src/campaigns/results.ts, without costs.
  add column forecast jsonb,
  -- The contacts without a message: [{"id", "reason"}]. The ID is that of the test contact.
  add column skips jsonb not null default '[]',
  -- Shape: CampaignImport in contract/src/campaigns/imports.ts; null without a file.
  add column import jsonb;
create index test_campaigns_import on test_campaigns (account_id, (import ->> 'id')) where import is not null;

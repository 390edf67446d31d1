-- Fallback channels, several audiences, and the forecast of a campaign.

alter table campaigns
  -- The fallback steps: see CampaignFallback in the contract. Null: none. Fixed from the start on.
  add column fallbacks jsonb,
  -- All audiences, beginning with audience_id. Empty: only audience_id.
  add column audience_ids uuid[] not null default '{}',
  -- Contacts in these audiences get no message.
  add column excluded_audience_ids uuid[] not null default '{}',
  -- What the campaign was expected to send and to cost when it started.
  add column forecast jsonb;

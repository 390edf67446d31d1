-- When the messages of a campaign are sent, and the contacts who wait for their time.
alter table campaigns
  -- See CampaignTiming in the contract. Empty: the defaults.
  add column timing jsonb not null default '{}',
  -- When a scheduled campaign starts. Earlier than its schedule if it follows the time zones of its recipients.
  add column due_date timestamptz,
  -- The microseconds between two messages; null: no limit. Set at the start.
  add column pace_micros bigint,
  -- The time of the next message in microseconds since 1970, if the rate is limited.
  add column paced_micros bigint,
  -- The fan-out rests until then.
  add column fanout_date timestamptz,
  -- The number of contacts in campaign_waits by their time.
  add column waits jsonb not null default '{}';

-- Contacts behind the cursor of a campaign that neither have a message nor were skipped, because their time has not
-- come. A contact gets its message, and leaves this table, in one transaction.
create table campaign_waits (
  account_id uuid not null,
  campaign_id uuid not null,
  not_before timestamptz not null,
  contact_id uuid not null,
  primary key (account_id, campaign_id, not_before, contact_id)
);

-- Daily quiet hours for campaigns, as {"from": "21:00", "until": "08:00"}. Null: off.
alter table accounts add column quiet_hours jsonb;

-- The times in which the message may be sent; null: any time.
alter table dispatch add column windows tstzmultirange;

-- The windows of the message, for the steps that are not queued yet.
alter table fallbacks add column windows tstzmultirange;

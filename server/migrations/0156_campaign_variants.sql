-- A/B tests of campaigns.
alter table campaigns
  -- See CampaignTest in the contract. Null: none.
  add column test jsonb,
  -- The number of messages of the test. Set at the start.
  add column test_size integer,
  -- When the winner is chosen. Set once carriers have accepted the messages of the test.
  add column test_date timestamptz,
  -- The number of messages of each variant.
  add column test_counts integer[] not null default '{}',
  -- The variant that the rest gets: 0 for A.
  add column test_winner smallint,
  -- True once the author was asked to choose the winner.
  add column test_notified boolean not null default false;

-- The messages of a test, and their variants. Written with the messages.
create table campaign_test_messages (
  account_id uuid not null,
  campaign_id uuid not null,
  message_id uuid not null,
  variant smallint not null,
  primary key (account_id, campaign_id, message_id)
);

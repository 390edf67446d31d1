-- Audiences whose people follow from conditions.
alter table audiences
  -- See Conditions in the contract. Null: the audience has contacts of its own.
  add column conditions jsonb;

-- The people in the dynamic audiences of a campaign when it started. The fan-out reads them like contacts. They are
-- removed when the campaign has ended.
create table campaign_people (
  account_id uuid not null,
  -- One for each dynamic audience of the campaign: campaigns.audience_sets.
  set_id uuid not null,
  id uuid not null,
  number text not null,
  primary key (account_id, set_id, id)
);
create unique index campaign_people_number on campaign_people (account_id, number text_pattern_ops, set_id);

alter table campaigns
  -- The IDs of the sets in campaign_people by the IDs of the dynamic audiences. Set at the start.
  add column audience_sets jsonb not null default '{}';

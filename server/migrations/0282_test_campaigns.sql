-- Audiences and campaigns of test keys. They have tables of their own, so that no list, count, price, or limit of live
-- data can include them.
create table test_audiences (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null,
  contacts_count integer not null,
  create_date timestamptz not null,
  update_date timestamptz not null,
  primary key (account_id, id)
);
create unique index test_audiences_name on test_audiences (account_id, lower(name));

create table test_contacts (
  account_id uuid not null,
  audience_id uuid not null,
  id uuid not null,
  number text not null,
  -- Shape: Contact in contract/src/audiences/audiences.ts.
  contact jsonb not null,
  primary key (account_id, audience_id, id)
);
create unique index test_contacts_number on test_contacts (account_id, audience_id, number);
-- Finds a person in all audiences when the person is erased.
create index test_contacts_person on test_contacts (account_id, number);

create table test_campaigns (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  name text not null,
  channel text not null,
  -- A campaign that is `in_progress` and has `run_date` is completed once no message waits.
  status text not null,
  schedule timestamptz,
  audience_ids uuid[] not null,
  -- The fields with which the campaign was created and changed. Shape: the body of campaigns.create.
  request jsonb not null,
  -- Shape: Campaign in contract/src/campaigns/campaigns.ts. The columns take precedence.
  campaign jsonb not null,
  -- When its messages were created.
  run_date timestamptz,
  create_date timestamptz not null,
  update_date timestamptz not null,
  primary key (account_id, id)
);
create unique index test_campaigns_name on test_campaigns (account_id, lower(name));

alter table test_messages add column campaign_id uuid;
create index test_messages_campaign on test_messages (account_id, campaign_id, status) where campaign_id is not null;

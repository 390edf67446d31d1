-- Campaigns with files, buttons, and templates.

-- The message in addition to its text: see CampaignContent in the contract.
alter table campaigns add column content jsonb not null default '{}';
-- Only contacts in these countries get the message; null: all countries.
alter table campaigns add column countries text[];
-- The channel of the audience that the import creates.
alter table audience_imports add column channel text not null default 'SMS';

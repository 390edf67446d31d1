-- The contacts that a campaign skipped, and why. A contact is skipped and counted in one transaction.
create table campaign_skips (
  account_id uuid not null,
  campaign_id uuid not null,
  contact_id uuid not null,
  -- See SKIP_REASONS in the contract. Contacts that were removed or that a cancellation left out are only counted.
  reason text not null,
  primary key (account_id, campaign_id, contact_id)
);

-- Whether campaign_skips has a row for each skipped contact. False for campaigns from before this table.
alter table campaigns add column lists_skips boolean not null default false;
alter table campaigns alter column lists_skips set default true;

-- no transaction
-- For the ledger entries of a campaign, newest first.
create index concurrently if not exists ledger_campaign on ledger (account_id, campaign_id, id)
  where campaign_id is not null;

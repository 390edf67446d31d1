-- no transaction
-- For the ledger page of payments, charges, and transfers, which are few among the entries of messages.
create index concurrently if not exists ledger_rare on ledger (account_id, id)
  where kind not in ('hold', 'settle', 'release');

-- no transaction
-- The campaigns that wait for approval.
create index concurrently if not exists campaigns_approvals on campaigns (account_id, approval_status, id)
  where approval_status is not null;

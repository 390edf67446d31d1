-- Approval of campaigns by another user.
-- See ApprovalRule in the contract. Null: campaigns need no approval.
alter table accounts add column campaign_approval jsonb;

-- Each request to approve a campaign, and its decision. Requests and decisions are never removed while the campaign
-- exists.
create table campaign_approvals (
  account_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  status text not null,
  -- The status of the campaign after the approval.
  target text not null,
  -- What the campaign was expected to send and to cost at the time of the request.
  recipients integer not null,
  amount_micros bigint not null,
  -- Null: an API key, or the schedule of the campaign.
  requested_user_id uuid,
  request_date timestamptz not null,
  -- Users who cannot decide, because they created or submitted the campaign.
  submitter_ids uuid[] not null,
  decided_user_id uuid,
  decide_date timestamptz,
  reason text not null default '',
  -- When a change of the campaign ended the approval.
  void_date timestamptz,
  primary key (account_id, id)
);
create index campaign_approvals_campaign on campaign_approvals (account_id, campaign_id, id);
-- A campaign waits for one decision at a time.
create unique index campaign_approvals_open on campaign_approvals (account_id, campaign_id) where status = 'requested';

alter table campaigns
  -- The latest request. Null: none since the last change. A run of a repeating campaign has that of its series.
  add column approval_id uuid,
  -- The status of this request.
  add column approval_status text;

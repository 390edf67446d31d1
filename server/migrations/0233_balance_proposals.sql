-- Changes of a customer's balance that one operator proposes and another one approves. The account is the customer.
create table balance_proposals (
  account_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('top_up', 'bonus', 'compensation', 'correction', 'refund', 'transfer')),
  status text not null default 'waiting'
    check (status in ('waiting', 'processing', 'applied', 'rejected', 'expired', 'failed')),
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null,
  reference text,
  payment_id uuid,
  -- What the payment provider refunds, including tax. Set when a refund is approved, so that a retry is the same call.
  refund_micros bigint,
  -- The operator who proposed the change.
  user_id uuid not null,
  -- The operator who approved or rejected it.
  decide_user_id uuid check (status not in ('applied', 'processing') or decide_user_id <> user_id),
  decide_date timestamptz,
  decision_reason text,
  expire_date timestamptz not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
-- A double click proposes once.
create unique index balance_proposals_reference on balance_proposals (account_id, kind, reference)
  where status = 'waiting' and reference is not null;
create unique index balance_proposals_payment on balance_proposals (account_id, payment_id)
  where status in ('waiting', 'processing') and payment_id is not null;
-- The list of all accounts for operators.
create index balance_proposals_list on balance_proposals (id);

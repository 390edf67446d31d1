-- Comparisons of the payments with the payment provider. After a crash, a comparison continues where it stopped.
create table reconciliations (
  id uuid primary key,
  -- What was created at the provider in this time is compared.
  from_date timestamptz not null,
  until_date timestamptz not null,
  stage text not null default 'payments'
    check (stage in ('payments', 'refunds', 'disputes', 'ours', 'disputed', 'open', 'done')),
  -- The position within the stage. Null at its start.
  position text,
  payments_count bigint not null default 0,
  create_date timestamptz not null default now(),
  end_date timestamptz
);
-- One comparison runs at a time.
create unique index reconciliations_running on reconciliations ((end_date is null)) where end_date is null;

-- Differences between a payment and the payment provider. The account is null if the payment is unknown here.
create table payment_differences (
  id uuid primary key,
  account_id uuid,
  payment_id uuid,
  provider_id text not null,
  kind text not null
    check (kind in ('missing_here', 'missing_there', 'amount', 'currency', 'status', 'refunded', 'dispute')),
  -- The values as they were when they were compared.
  ours text not null,
  theirs text not null,
  -- settled: the difference no longer exists. resolved: an operator has closed it.
  status text not null check (status in ('open', 'settled', 'resolved')),
  reason text,
  user_id uuid,
  resolve_date timestamptz,
  reconciliation_id uuid not null,
  create_date timestamptz not null default now()
);
-- A difference is reported once, also after an operator has resolved it.
create unique index payment_differences_key on payment_differences (provider_id, kind, ours, theirs);
create index payment_differences_open on payment_differences (id) where status = 'open';
create index payment_differences_run on payment_differences (reconciliation_id);

-- The last comparison that found the payment at the provider.
alter table payments add column reconciliation_id uuid;
create index payments_provider on payments (create_date, id) where provider_id is not null;
create index payments_disputed on payments (id) where dispute = 'open';

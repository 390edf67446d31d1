-- Money paid in and under review is in the book `frozen`. The check is validated in the next file.
alter table ledger
  drop constraint ledger_debit_check,
  drop constraint ledger_credit_check,
  drop constraint ledger_kind_check;
alter table ledger
  add constraint ledger_debit_check check (debit in ('outside', 'frozen', 'available', 'held', 'spent')) not valid,
  add constraint ledger_credit_check check (credit in ('outside', 'frozen', 'available', 'held', 'spent')) not valid,
  add constraint ledger_kind_check
    check (kind in ('top_up', 'bonus', 'compensation', 'hold', 'settle', 'release', 'resettle', 'refund', 'charge',
                    'payment_release', 'payment_refund', 'dispute', 'dispute_won', 'correction', 'transfer_in',
                    'transfer_out')) not valid;
-- The payment that an entry belongs to.
alter table ledger add column payment_id uuid;

alter table balances
  add column frozen_micros bigint not null default 0 check (frozen_micros >= 0),
  -- The sum of the payments that the bank took back, even if the money had been spent. The balance may be below its
  -- limit by this amount.
  add column reclaimed_micros bigint not null default 0 check (reclaimed_micros >= 0),
  drop constraint balances_check;
alter table balances add constraint balances_check
  check (available_micros >= - (credit_limit_micros + resettled_micros + reclaimed_micros));

create table payments (
  account_id uuid not null,
  id uuid not null,
  type text not null
    check (type in ('Paypal', 'Credit Card', 'Auto Top Up', 'Bonus', 'Bank Transfer', 'Free Test', 'Compensation')),
  -- PENDING and FAILED payments have moved no money.
  status text not null check (status in ('PENDING', 'FAILED', 'PAID', 'FROZEN', 'REFUNDED', 'PARTIALLY_REFUNDED')),
  currency text not null,
  -- The amount for the balance. The customer pays this amount and the tax.
  amount_micros bigint not null check (amount_micros > 0),
  tax_micros bigint not null default 0 check (tax_micros >= 0),
  tax_rate numeric(6,3) not null default 0,
  -- The part of the amount that has left the balance again.
  returned_micros bigint not null default 0 check (returned_micros between 0 and amount_micros),
  -- What the payment provider has refunded, including tax.
  refunded_micros bigint not null default 0 check (refunded_micros >= 0),
  dispute text check (dispute in ('open', 'won', 'lost')),
  -- The part of the amount that a dispute has taken from the balance.
  disputed_micros bigint not null default 0 check (disputed_micros >= 0),
  -- The ID of the payment at the provider. Null until the provider knows it.
  provider_id text,
  method_id uuid,
  brand text not null default '',
  last4 text not null default '',
  -- Identifies the card across payments. The card number itself is never stored.
  fingerprint text,
  -- For bank transfers: the text that the customer enters as the purpose.
  reference text,
  failure text,
  note text not null default '',
  -- The Idempotency-Key of the request that created the payment.
  request_key text,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  paid_date timestamptz,
  primary key (account_id, id)
);
create unique index payments_request on payments (account_id, request_key) where request_key is not null;
-- At most one automatic top-up is under way.
create unique index payments_automatic on payments (account_id) where type = 'Auto Top Up' and status = 'PENDING';
create index payments_pending on payments (create_date) where status = 'PENDING';
create index payments_review on payments (id) where status = 'FROZEN';
create unique index payments_reference on payments (account_id, reference) where reference is not null;

-- Cards whose first payment an operator has released.
create table payment_sources (
  account_id uuid not null,
  fingerprint text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, fingerprint)
);

create table payment_methods (
  account_id uuid not null,
  id uuid not null,
  provider_id text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  fingerprint text not null,
  is_default boolean not null default false,
  create_date timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, provider_id)
);
create unique index payment_methods_default on payment_methods (account_id) where is_default;

-- An account at the payment provider, and its settings for payments.
create table payment_accounts (
  account_id uuid primary key,
  customer_id text,
  saves_cards boolean not null default true,
  sends_receipts boolean not null default true
);

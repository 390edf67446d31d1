-- Changes of list prices that take effect at a time in the future. Until a change is written to `rates`, readers of
-- prices apply it themselves, so it takes effect at exactly this time in every process.
create table price_plans (
  id uuid primary key,
  user_id uuid not null,
  user_name text not null,
  -- The file that the prices came from; null if an operator entered a single price.
  import_id uuid references price_imports(id),
  effective_date timestamptz not null,
  -- The days between the notices and the change.
  notice_days smallint not null check (notice_days >= 0 and notice_days <= 365),
  -- Who gets a notice: accounts that used the destinations lately, or all accounts with the currency.
  audience text not null check (audience in ('used', 'all')),
  status text not null default 'draft' check (status in ('draft', 'announced', 'applied', 'canceled')),
  -- Increases with each change that customers must hear of.
  revision integer not null default 1,
  -- From when on customers can see the change. Null: the notices have not been sent.
  notice_date timestamptz,
  -- When the effects were calculated last.
  assess_date timestamptz,
  create_date timestamptz not null,
  update_date timestamptz not null
);
create index price_plans_list on price_plans (effective_date, id);

create table planned_prices (
  plan_id uuid not null references price_plans(id) on delete cascade,
  id uuid not null,
  channel text not null,
  country text not null,
  mccmnc text,
  purpose text,
  currency text not null,
  -- The price when the change was planned. Null: there was none.
  before_micros bigint,
  -- Null: the price is removed.
  price_micros bigint check (price_micros >= 0),
  -- When the price applies. Null: the change is a draft, was canceled, or has been written to `rates`.
  effective_date timestamptz,
  primary key (plan_id, id)
);
create unique index planned_prices_key
  on planned_prices (channel, country, currency, coalesce(mccmnc, ''), coalesce(purpose, ''), effective_date)
  where effective_date is not null;
create trigger planned_prices_changed after insert or delete or update or truncate on planned_prices
  for each statement execute function bump_price_revision();

-- The accounts that a planned change affects, and what they sent to its destinations in the last 30 days.
create table price_plan_accounts (
  account_id uuid not null,
  plan_id uuid not null references price_plans(id) on delete cascade,
  segments bigint not null,
  -- What these segments cost at the prices before and after the change.
  before_micros bigint not null,
  after_micros bigint not null,
  -- The revision of the plan that the account was notified of. Null: it has not been notified.
  notified_revision integer,
  notify_date timestamptz,
  primary key (account_id, plan_id)
);
create index price_plan_accounts_plan on price_plan_accounts (plan_id, account_id);

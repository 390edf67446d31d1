-- Prices that fall with the volume of a calendar month (UTC). Set them only after all processes run this release:
-- the previous release charges the price of the price list and does not count.
create table volume_prices (
  id uuid primary key,
  -- Null: for all accounts that pay the list price of the destination. Otherwise for this account.
  account_id uuid,
  channel text not null,
  country text not null,
  -- The destination of a price: null means the price for all networks, or for all purposes.
  mccmnc text,
  purpose text,
  currency text not null,
  -- The first month in which the steps apply, until a later row for the same destination replaces them.
  month date not null check (extract(day from month) = 1),
  -- [{above_units, price_micros}], by units. Empty: there are no volume prices from this month on.
  steps jsonb not null,
  user_id uuid not null,
  create_date timestamptz not null default now()
);
create unique index volume_prices_key on volume_prices
  (account_id, channel, country, mccmnc, currency, purpose, month) nulls not distinct;
create trigger volume_prices_changed after insert or delete or update or truncate on volume_prices
  for each statement execute function bump_price_revision();

-- How many units an account has sent in a month to a destination with volume prices. Changed in the transactions that
-- open and release the holds of the messages.
create table price_volumes (
  account_id uuid not null,
  month date not null,
  channel text not null,
  country text not null,
  -- Empty: all networks, or all purposes.
  mccmnc text not null,
  purpose text not null,
  currency text not null,
  id uuid not null,
  units bigint not null check (units >= 0),
  primary key (account_id, month, channel, country, mccmnc, purpose, currency)
) with (fillfactor = 50);
create unique index price_volumes_id on price_volumes (account_id, id);

-- The volume that counts the message, and the number of units before it. Null: the destination has no volume prices.
alter table messages add column volume_id uuid, add column volume_start bigint;

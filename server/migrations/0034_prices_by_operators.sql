-- Imports of list prices. The preview stores the rows of the file, and applying the import writes exactly these rows.
create table price_imports (
  id uuid primary key,
  user_id uuid not null,
  filename text not null,
  -- Prices in the same channels and currencies that the file does not contain.
  missing text not null check (missing in ('keep', 'remove')),
  -- [{channel, country, mccmnc, purpose, currency, price_micros}]
  rows jsonb not null,
  -- The counts, differences, and invalid lines of the preview.
  summary jsonb not null,
  -- The price revision that the preview was compared with.
  revision bigint not null,
  apply_date timestamptz,
  create_date timestamptz not null default now()
);
create index price_imports_date on price_imports (create_date);

-- Every change of a list price. Rows are never changed.
create table price_changes (
  id uuid primary key,
  import_id uuid references price_imports,
  user_id uuid not null,
  user_name text not null,
  channel text not null,
  country text not null,
  mccmnc text,
  purpose text,
  currency text not null,
  -- Null: there was no price before, or there is none afterwards.
  before_micros bigint,
  after_micros bigint,
  create_date timestamptz not null,
  check (before_micros is distinct from after_micros)
);
create index price_changes_country on price_changes (country, id);
create trigger price_changes_append_only before update or delete on price_changes
  for each statement execute function refuse_change();

-- The currencies of customers' accounts. Only enabled currencies are offered to new accounts.
create table currencies (
  code text primary key check (code in ('USD', 'EUR', 'AMD', 'RUB', 'AED')),
  enabled boolean not null default true,
  -- Used if the currency of a new customer's country is not offered or has no prices.
  is_default boolean not null default false,
  check (enabled or not is_default)
);
create unique index currencies_default on currencies (is_default) where is_default;
insert into currencies (code, is_default) values ('USD', true), ('EUR', false), ('AMD', false), ('RUB', false),
  ('AED', false);

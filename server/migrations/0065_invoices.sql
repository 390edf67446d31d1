-- The companies that issue invoices. Their numbers have no gaps.
create table invoice_entities (
  id smallint primary key,
  name text not null,
  address text not null default '',
  country_code text not null,
  vat_number text not null default '',
  bank_details text not null default '',
  number_prefix text not null,
  next_number integer not null default 1
);
insert into invoice_entities (id, name, country_code, number_prefix) values (1, 'Parley', 'US', 'INV-');

create table invoices (
  account_id uuid not null,
  id uuid not null,
  entity smallint not null,
  number text not null,
  type text not null check (type in ('Invoice', 'Credit note')),
  payment_id uuid not null,
  -- The day on which the invoice was issued.
  period date not null,
  currency text not null,
  -- Amounts of credit notes are negative.
  net_micros bigint not null,
  tax_micros bigint not null,
  tax_rate numeric(6,3) not null,
  -- The names, addresses, VAT numbers, and lines as they were when the invoice was issued.
  content jsonb not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index invoices_number on invoices (account_id, entity, number);

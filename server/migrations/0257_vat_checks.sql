-- The last check of each VAT number in the register of the European Union.
create table vat_checks (
  account_id uuid not null,
  -- Without spaces, with its prefix.
  vat_number text not null,
  -- waiting: the register has not answered yet.
  status text not null default 'waiting' check (status in ('waiting', 'valid', 'invalid')),
  -- Proves the check. The register returns one only if the issuing company has a VAT number.
  consultation_number text,
  registered_name text,
  registered_address text,
  check_date timestamptz,
  create_date timestamptz not null default now(),
  primary key (account_id, vat_number)
);

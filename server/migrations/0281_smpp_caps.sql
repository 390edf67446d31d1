-- The limits that operators set for the SMPP accounts of a company. Null: the limit of the installation.
create table smpp_caps (
  account_id uuid primary key references accounts(id),
  max_accounts integer,
  -- Sessions of all SMPP accounts of the company.
  max_binds integer,
  -- Submits per second of all SMPP accounts of the company.
  throughput integer,
  update_date timestamptz not null default now()
);

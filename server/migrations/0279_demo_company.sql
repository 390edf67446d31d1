-- The demo company and its latest change. The demo's start adds the row, and production has none.
create table demo_company (
  sole boolean primary key default true check (sole),
  account_id uuid not null references accounts(id),
  -- empty or fill; null if the company is as on the first start.
  change text check (change in ('empty', 'fill')),
  step text check (step in ('waiting', 'company', 'history', 'templates', 'done')),
  -- Why the change could not be made.
  error text,
  user_id uuid,
  update_date timestamptz not null default now()
);

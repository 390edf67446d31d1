-- Which pattern led to a stop of codes, with its figures, and when and why the stop ends.
alter table account_code_stops
  add column signal text not null default 'unused'
    check (signal in ('unused', 'conversion', 'consecutive', 'concentration', 'growth')),
  -- See Evidence in the contract. Empty: the columns sends and usual hold the figures.
  add column evidence jsonb not null default '{}',
  -- False: the account was only notified. Such a row is lifted from the start.
  add column refuses boolean not null default true,
  -- Null: until a user allows codes again.
  add column expire_date timestamptz,
  add column lift_reason text check (lift_reason in ('user', 'time', 'entered', 'off'));

-- What an account does about each pattern. Accounts without a row have the defaults of the contract.
create table code_protection (
  account_id uuid primary key,
  actions jsonb not null,
  lift_hours smallint not null check (lift_hours between 1 and 720),
  update_date timestamptz not null default now()
);

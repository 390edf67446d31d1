alter table accounts
  -- True: the balance is overdue and the last reminder has passed, so the account cannot send.
  add column payment_overdue boolean not null default false;

create table dunning_settings (
  sole boolean default true primary key check (sole),
  enabled boolean not null,
  -- [{days, subject, text, pauses}], in the order of the days. Shape: contract/src/admin/dunning.ts.
  steps jsonb not null,
  update_date timestamptz not null
);

-- An account that owes money, or whose automatic top-up was refused, from this until it is paid. One is open at most.
create table dunning_cases (
  account_id uuid not null,
  id uuid not null,
  -- Whether the balance is below zero, and whether the card was refused.
  owes boolean not null,
  card_refused boolean not null,
  -- When the case began. The days of the steps count from the day of this time in the time zone of the account.
  since timestamptz not null,
  -- The number of steps that are done.
  step smallint not null default 0,
  -- When the next step is due. Null: there is none.
  next_date timestamptz,
  -- No step is done before this time.
  extend_date timestamptz,
  -- When sending was paused. Null while the account can send.
  pause_date timestamptz,
  close_date timestamptz,
  primary key (account_id, id)
);
create unique index dunning_cases_open on dunning_cases (account_id) where close_date is null;
create index dunning_cases_due on dunning_cases (next_date) where close_date is null and next_date is not null;
-- The list of all accounts for operators.
create index dunning_cases_list on dunning_cases (since, account_id) where close_date is null;

-- Each step that was done, so that none is repeated.
create table dunning_steps (
  account_id uuid not null,
  case_id uuid not null,
  step smallint not null,
  send_date timestamptz not null,
  primary key (account_id, case_id, step)
);

-- Accounts without reminders and pauses.
create table dunning_exemptions (
  account_id uuid primary key,
  user_id uuid not null,
  reason text not null,
  create_date timestamptz not null
);

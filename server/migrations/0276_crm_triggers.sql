-- Messages that are sent when a deal enters a stage.
create table crm_triggers (
  account_id uuid not null,
  provider text not null,
  id uuid not null,
  stage_id text not null,
  stage_name text not null,
  sender_id uuid not null,
  template_id uuid not null,
  purpose text not null check (purpose in ('marketing', 'transactional')),
  -- `once`: once per deal. `each_time`: each time that the deal enters the stage.
  reentry text not null check (reentry in ('once', 'each_time')),
  is_on boolean not null default true,
  -- Deals that entered the stage before this time get no message.
  start_date timestamptz not null,
  create_date timestamptz not null default now(),
  primary key (account_id, provider, id)
);

-- Each entry of a deal gets one message at most.
create table crm_trigger_runs (
  account_id uuid not null,
  provider text not null,
  trigger_id uuid not null,
  deal_id text not null,
  -- When the deal entered the stage, or `once`.
  entry text not null,
  id uuid not null,
  -- `refused`: no message was sent, for the reason in `error`.
  status text not null check (status in ('sent', 'refused')),
  number text,
  message_id uuid,
  error text,
  create_date timestamptz not null default now(),
  primary key (account_id, provider, trigger_id, deal_id, entry)
);
create index crm_trigger_runs_recent on crm_trigger_runs (account_id, provider, trigger_id, id);
create index crm_trigger_runs_number on crm_trigger_runs (account_id, number) where number is not null;

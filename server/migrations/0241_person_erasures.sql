-- Erasures of people. A job deletes what the account stored about the number until the erasure was requested. The row
-- stays as proof.
create table person_erasures (
  account_id uuid not null,
  id uuid not null,
  number text not null,
  status text not null default 'running' check (status in ('running', 'waiting', 'completed')),
  -- The step that runs next, and the last row that it has read.
  step smallint not null default 0,
  after uuid,
  -- What was deleted, by its kind.
  counts jsonb not null default '{}',
  -- Null: an API key.
  user_id uuid,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  complete_date timestamptz,
  primary key (account_id, id)
);
create unique index person_erasures_open on person_erasures (account_id, number) where status <> 'completed';
create index person_erasures_number on person_erasures (account_id, number, id);
create index person_erasures_unfinished on person_erasures (update_date) where status <> 'completed';

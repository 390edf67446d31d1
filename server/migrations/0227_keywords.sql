-- The keywords of an account, in addition to STOP, START, and HELP. Shapes: contract/src/audiences/keywords.ts.
create table keywords (
  account_id uuid not null,
  id uuid not null,
  position integer not null,
  words text[] not null,
  match text not null check (match in ('exact', 'starts_with', 'contains')),
  -- Empty: all senders.
  sender_ids uuid[] not null default '{}',
  -- The countries of the people who write. Empty: all countries.
  countries text[] not null default '{}',
  effect text not null check (effect in ('none', 'opt_out', 'opt_in')),
  -- Null: no reply, or the reply of the sender to STOP or START.
  reply text,
  label_ids uuid[] not null default '{}',
  enabled boolean not null default true,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);

-- The inbound messages that get an automatic reply to their keyword, at most one each.
create table keyword_replies (
  account_id uuid not null,
  message_id uuid not null,
  -- Null until the reply is accepted, and if the gate refused it.
  reply_id uuid,
  create_date timestamptz not null,
  primary key (account_id, message_id)
);
create index keyword_replies_old on keyword_replies (create_date);

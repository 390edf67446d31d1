-- Labels of conversations.
create table labels (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- A name from LABEL_COLORS in contract/src/inbox/labels.ts.
  color text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index labels_name on labels (account_id, lower(name));

create table conversation_labels (
  account_id uuid not null,
  conversation_id uuid not null,
  label_id uuid not null,
  primary key (account_id, conversation_id, label_id)
);
create index conversation_labels_label on conversation_labels (account_id, label_id, conversation_id);

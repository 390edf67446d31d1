-- Uploaded files. A row is created when an upload starts, and becomes ready when the file is in storage.

create table media (
  account_id uuid not null,
  id uuid not null,
  -- Null: created with an API key.
  user_id uuid,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'removed')),
  type text not null check (type in ('image', 'video', 'document')),
  channel text check (channel in ('SMS', 'VIBER', 'WHATSAPP')),
  file_name text not null,
  directory text not null default '',
  -- The declared type while the row is waiting, then the detected type.
  content_type text not null,
  wanted_width integer,
  wanted_height integer,
  -- The upload that may complete the row. A newer upload replaces it. The storage key contains it.
  lease uuid,
  bytes bigint,
  sha256 text,
  width integer,
  height integer,
  has_thumbnail boolean not null default false,
  -- The time since which no object uses the file. Null while the file is in use.
  idle_since timestamptz,
  create_date timestamptz not null default now(),
  update_date timestamptz not null default now(),
  primary key (account_id, id),
  check (status <> 'ready' or (lease is not null and bytes > 0 and sha256 is not null))
);
create index media_unfinished on media (update_date) where status <> 'ready';
create index media_idle on media (idle_since) where status = 'ready' and idle_since is not null;

-- The objects that use a file: "template:<id>", "campaign:<id>", "message:<id>".
create table media_uses (
  account_id uuid not null,
  media_id uuid not null,
  used_by text not null,
  create_date timestamptz not null default now(),
  primary key (account_id, media_id, used_by),
  foreign key (account_id, media_id) references media (account_id, id)
);

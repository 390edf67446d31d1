-- The stored files of an import count toward the storage of its account, like media.

alter table audience_imports
  add column file_bytes bigint not null default 0,
  add column refused_bytes bigint not null default 0;

create index audience_imports_stored on audience_imports (account_id) where file_bytes > 0 or refused_bytes > 0;

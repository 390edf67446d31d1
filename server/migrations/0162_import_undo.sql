-- Imports can be undone.
alter table contacts
  -- The import that added the contact.
  add column import_id uuid;

-- What an import changed apart from the contacts that it added, so that it can be undone: the earlier texts of
-- contacts, the tags that people got, and the consents that were stored.
create table import_changes (
  account_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('contact', 'person', 'consent')),
  id uuid not null,
  -- {first_name, last_name, custom1, custom2} of a contact, {tags} of a person, {} of a consent.
  detail jsonb not null,
  create_date timestamptz not null,
  primary key (account_id, import_id, kind, id)
);
create index import_changes_date on import_changes (create_date);

alter table audience_imports
  add column undo_date timestamptz,
  -- Rows in long runs of consecutive numbers, which are typical of generated lists.
  add column consecutive_count integer not null default 0;

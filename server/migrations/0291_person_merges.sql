-- People who are the same person become one. Messages, consents, and conversations keep their numbers.

-- The further numbers of a person.
create table person_numbers (
  account_id uuid not null,
  number text not null,
  person_id uuid not null,
  primary key (account_id, number)
);
create index person_numbers_person on person_numbers (account_id, person_id);

-- What a merge changed, so that it can be undone.
create table person_merges (
  account_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  number text not null,
  merged_number text not null,
  -- See Before in server/src/audiences/list/merge.ts.
  before jsonb not null,
  -- Null: an API key.
  user_id uuid,
  create_date timestamptz not null,
  undo_date timestamptz,
  primary key (account_id, id)
);
create index person_merges_number on person_merges (account_id, number);
create index person_merges_merged on person_merges (account_id, merged_number);

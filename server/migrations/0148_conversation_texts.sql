-- Search in the inbox: the texts of messages in conversations and of notes, as words in one spelling. Full texts are
-- numbered in blocks, and each block lists its words once, so that a search reads only blocks that have all of its
-- words.
create table conversation_texts (
  account_id uuid not null,
  -- The ID of the message or note.
  id uuid not null,
  kind text not null check (kind in ('message', 'note')),
  -- The words with a space before and after each.
  text text not null,
  -- Null until a block is full. A search reads the texts without a block one by one.
  block integer,
  primary key (account_id, id)
);
create index conversation_texts_fresh on conversation_texts (account_id, kind, id) where block is null;
create index conversation_texts_block on conversation_texts (account_id, kind, block, id) where block is not null;

create table conversation_text_blocks (
  account_id uuid not null,
  kind text not null,
  block integer not null,
  create_date timestamptz not null default now(),
  primary key (account_id, kind, block)
);

create table conversation_words (
  account_id uuid not null,
  kind text not null,
  block integer not null,
  -- The beginning of a word, or two neighboring characters in scripts without spaces.
  word text collate "C" not null,
  primary key (account_id, kind, block, word)
);

-- Whether earlier messages of the conversation still have to be added to the texts, and the last one that was.
alter table conversations add column texts_due boolean not null default true;
alter table conversations add column texts_through uuid;

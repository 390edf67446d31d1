/**
 * The texts that the inbox searches. Texts are stored with the message. A job collects them in blocks with a list of
 * their words, so a search skips the blocks that lack a word. Another job adds earlier messages, such as the campaign
 * that a contact answers (decision 77).
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { blockWords, searchText } from './search_words.ts';

export type TextKind = 'message' | 'note';

/** Texts of a block. A search reads a block in a few milliseconds. */
export const BLOCK_SIZE = 2_048;
const CONVERSATIONS_PER_RUN = 100;
const MESSAGES_PER_CONVERSATION = 500;

interface StoredText {
  account_id: string;
  id: string;
  text: string;
}

export const sealJob = job<{ account_id: string; kind: TextKind }>('inbox.seal_texts', {
  key: ({ account_id, kind }) => `${account_id} ${kind}`,
  group: ({ account_id }) => account_id,
});
export const addTextsJob = job<object>('inbox.add_texts', { cron: '* * * * *', retry: 0, expire_seconds: 3_000 });

/** About one text in 256 looks for a full block. */
const looksForBlock = ({ id }: StoredText): boolean => id.endsWith('00');

/** Stores texts or replaces them. Texts without words are not stored. */
export async function writeTexts(tx: Tx, kind: TextKind, texts: readonly StoredText[]): Promise<void> {
  const rows = texts.map((row) => ({ ...row, text: searchText(row.text) }));
  await insertTexts(tx, kind, rows, true);
  for (const account_id of new Set(texts.filter(looksForBlock).map((row) => row.account_id)))
    await enqueue(tx, sealJob, { account_id, kind });
}

async function insertTexts(tx: Tx, kind: TextKind, rows: readonly StoredText[], replace: boolean): Promise<void> {
  const unique = new Map(rows.filter(({ text }) => text !== '').map((row) => [`${row.account_id} ${row.id}`, row]));
  if (unique.size === 0) return;
  const list = [...unique.values()];
  await tx.run(sql`
    insert into conversation_texts as t (account_id, id, kind, text)
    select n.account_id, n.id, ${kind}, n.text
    from unnest(${list.map((row) => row.account_id)}::uuid[], ${list.map(({ id }) => id)}::uuid[],
                ${list.map(({ text }) => text)}::text[]) as n(account_id, id, text)
    on conflict (account_id, id) do ${
      replace ? sql`update set text = excluded.text, block = null where t.text <> excluded.text` : sql`nothing`
    }`);
}

export const removeText = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from conversation_texts where account_id = ${account_id} and id = ${id}`);

/** Removes texts for good, with the words that no other text of their blocks contains. */
export async function eraseTexts(tx: Tx, account_id: string, ids: readonly string[]): Promise<void> {
  const removed = await tx.rows<{ kind: TextKind; block: number | null }>(sql`
    delete from conversation_texts where account_id = ${account_id} and id = any(${ids}::uuid[])
    returning kind, block`);
  const blocks = new Map(removed.map(({ kind, block }) => [`${kind} ${block}`, { kind, block }]));
  for (const { kind, block } of blocks.values()) {
    if (block === null) continue;
    const texts = await tx.rows<{ text: string }>(sql`
      select text from conversation_texts where account_id = ${account_id} and kind = ${kind} and block = ${block}`);
    await tx.run(sql`
      delete from conversation_words
      where account_id = ${account_id} and kind = ${kind} and block = ${block}
        and word <> all(${[...new Set(texts.flatMap(({ text }) => blockWords(text)))]}::text[])`);
  }
}

/** Collects the oldest texts in blocks, until fewer than a block are left. */
export async function sealTexts(
  { db }: Kernel,
  { account_id, kind }: { account_id: string; kind: TextKind },
  signal?: AbortSignal,
  size: number = BLOCK_SIZE,
): Promise<void> {
  for (let hasMore = true; hasMore && !signal?.aborted; )
    hasMore = await db.tx((tx) => sealBlock(tx, account_id, kind, size));
}

async function sealBlock(tx: Tx, account_id: string, kind: TextKind, size: number): Promise<boolean> {
  const texts = await tx.rows<{ id: string; text: string }>(sql`
    select id, text from conversation_texts
    where account_id = ${account_id} and kind = ${kind} and block is null
    order by id limit ${size} for update`);
  if (texts.length < size) return false;
  const { block } = await tx.one<{ block: number }>(sql`
    insert into conversation_text_blocks (account_id, kind, block)
    select ${account_id}, ${kind}, coalesce((
      select max(block) from conversation_text_blocks where account_id = ${account_id} and kind = ${kind}), 0) + 1
    returning block`);
  const words = [...new Set(texts.flatMap(({ text }) => blockWords(text)))].sort();
  await tx.run(sql`
    insert into conversation_words (account_id, kind, block, word)
    select ${account_id}, ${kind}, ${block}, word from unnest(${words}::text[]) as t(word)`);
  await tx.run(sql`
    update conversation_texts set block = ${block}
    where account_id = ${account_id} and id = any(${texts.map(({ id }) => id)}::uuid[])`);
  return true;
}

interface Due {
  account_id: string;
  id: string;
  sender_id: string;
  number: string;
  texts_through: string | null;
}

/** Adds messages that were stored without a text: those from before a conversation, and those of campaigns. */
export async function addTexts({ db }: Kernel, signal?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal?.aborted; )
    hasMore = await db.tx(async (tx) => {
      const due = await tx.rows<Due>(sql`
        select account_id, id, sender_id, number, texts_through from conversations
        where texts_due order by account_id, id limit ${CONVERSATIONS_PER_RUN} for update skip locked`);
      for (const conversation of due) await addThread(tx, conversation);
      return due.length === CONVERSATIONS_PER_RUN;
    });
}

async function addThread(tx: Tx, { account_id, id, sender_id, number, texts_through }: Due): Promise<void> {
  const messages = await tx.rows<{ id: string; text: string }>(sql`
    select id, text from messages
    where account_id = ${account_id} and number = ${number} and sender_id = ${sender_id}
      and id > ${texts_through ?? '00000000-0000-0000-0000-000000000000'}::uuid
    order by id limit ${MESSAGES_PER_CONVERSATION}`);
  const rows = messages.map((message) => ({ account_id, id: message.id, text: searchText(message.text) }));
  await insertTexts(tx, 'message', rows, false);
  if (texts_through === null) await addNotes(tx, account_id, id);
  const isDone = messages.length < MESSAGES_PER_CONVERSATION;
  await tx.run(sql`
    update conversations set texts_due = ${!isDone}, texts_through = ${messages.at(-1)?.id ?? texts_through}
    where account_id = ${account_id} and id = ${id}`);
  if (rows.some(looksForBlock)) await enqueue(tx, sealJob, { account_id, kind: 'message' });
}

/** Adds the notes from before the search existed. */
async function addNotes(tx: Tx, account_id: string, conversation_id: string): Promise<void> {
  const notes = await tx.rows<{ id: string; text: string }>(sql`
    select id, text from conversation_entries
    where account_id = ${account_id} and conversation_id = ${conversation_id} and kind = 'note'`);
  const rows = notes.map((note) => ({ account_id, id: note.id, text: searchText(note.text) }));
  await insertTexts(tx, 'note', rows, false);
}

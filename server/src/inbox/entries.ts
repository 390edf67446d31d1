/** The entries of conversations: status changes and other activity, besides messages and assignments. */
import { type ConversationEntry, entryCreated } from '@parley/contract/inbox/entries.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import * as queries from './entry_queries.ts';

export async function listEntries(
  db: Queryable,
  account_id: string,
  conversation_id: string,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<ConversationEntry>> {
  const page = readPage(query);
  const rows = await queries.listEntryRows(db, account_id, conversation_id, page);
  return paged(page, rows, await queries.countEntries(db, account_id, conversation_id));
}

/** `assignee_id` of the conversation determines who may see the entry. */
export async function addEntry(
  tx: Tx,
  account_id: string,
  conversation: { id: string; assignee_id: string | null },
  entry: Omit<queries.NewEntry, 'id' | 'conversation_id'>,
): Promise<ConversationEntry> {
  const [added] = await addEntries(tx, account_id, [{ ...entry, conversation }]);
  return added!;
}

export async function addEntries(
  tx: Tx,
  account_id: string,
  entries: readonly (Omit<queries.NewEntry, 'id' | 'conversation_id'> & {
    conversation: { id: string; assignee_id: string | null };
  })[],
): Promise<ConversationEntry[]> {
  const added = await queries.insertEntries(
    tx,
    account_id,
    entries.map(({ conversation, ...entry }) => ({ ...entry, id: newId(), conversation_id: conversation.id })),
  );
  for (const [index, row] of added.entries())
    emit(tx, entryCreated, account_id, { ...row, assignee_id: entries[index]!.conversation.assignee_id });
  return added;
}

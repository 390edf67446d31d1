/** Deletes a person, the contacts in all audiences, and what users wrote about the person in the inbox. */
import { eraseImported, erasePerson } from '../audiences/audiences.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { eraseTexts } from '../messages/messages.ts';
import type { Portion, Subject } from './erasure_queries.ts';

/** A person who was added again after the request stays. */
export async function eraseContacts(tx: Tx, { account_id, number, until }: Subject): Promise<Portion> {
  const isNew = await tx.maybeOne(sql`
    select 1 from people where account_id = ${account_id} and number = ${number} and create_date > ${until}`);
  return { counts: isNew ? {} : { contacts: await erasePerson(tx, account_id, number) }, after: null };
}

/** Runs after the imports that were running have ended. */
export const eraseImportedContacts = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: { contacts: await eraseImported(tx, account_id, number, until) },
  after: null,
});

/** Conversations that continued after the request stay open and lose only their older contents. */
export async function eraseConversations(tx: Tx, { account_id, number, until }: Subject): Promise<Portion> {
  const rows = await tx.rows<{ id: string }>(sql`
    update conversations set profile_name = '', alias = null,
      delete_date = case when "timestamp" <= ${until} then coalesce(delete_date, ${tx.now}) end,
      unread_count = case when "timestamp" <= ${until} then 0 else unread_count end
    where account_id = ${account_id} and number = ${number} and create_date <= ${until}
    returning id`);
  const ids = rows.map(({ id }) => id);
  const entries = await tx.rows<{ id: string; kind: string }>(sql`
    delete from conversation_entries
    where account_id = ${account_id} and conversation_id = any(${ids}::uuid[]) and create_date <= ${until}
    returning id, kind`);
  await tx.run(sql`
    delete from conversation_mentions
    where account_id = ${account_id} and entry_id = any(${entries.map(({ id }) => id)}::uuid[])`);
  await tx.run(sql`
    delete from conversation_drafts
    where account_id = ${account_id} and conversation_id = any(${ids}::uuid[]) and update_date <= ${until}`);
  await tx.run(sql`
    delete from assistance_requests
    where account_id = ${account_id} and conversation_id = any(${ids}::uuid[]) and create_date <= ${until}`);
  await tx.run(sql`
    delete from conversation_labels where account_id = ${account_id} and conversation_id = any(${ids}::uuid[])`);
  const notes = entries.filter(({ kind }) => kind === 'note').map(({ id }) => id);
  await eraseTexts(tx, account_id, notes);
  return { counts: { conversations: ids.length, notes: notes.length }, after: null };
}

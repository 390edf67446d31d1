/**
 * Erases individual people. Also erases the contacts and the people of a closed account, and the rows that its imports
 * refused, one audience per transaction, so that no lock is held for long.
 */
import { audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import * as queries from './queries.ts';

/**
 * Deletes a person and the contacts in all audiences, with what imports remembered about them. The audiences are locked
 * one after the other, in the order of their IDs. Returns the number of contacts.
 */
export async function erasePerson(tx: Tx, account_id: string, number: string): Promise<number> {
  await tx.run(sql`
    delete from import_changes
    where account_id = ${account_id} and (
      kind = 'contact' and id in (select id from contacts where account_id = ${account_id} and number = ${number})
      or kind = 'person' and id in (select id from people where account_id = ${account_id} and number = ${number}))`);
  const audiences = await tx.rows<{ audience_id: string }>(sql`
    select audience_id from contacts where account_id = ${account_id} and number = ${number} order by audience_id`);
  let removed = 0;
  for (const { audience_id } of audiences) {
    await queries.lockAudience(tx, account_id, audience_id);
    const count = await tx.run(sql`
      delete from contacts
      where account_id = ${account_id} and audience_id = ${audience_id} and number = ${number}`);
    if (count > 0) emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, -count));
    removed += count;
  }
  await tx.run(sql`delete from campaign_people where account_id = ${account_id} and number = ${number}`);
  await tx.run(sql`
    delete from person_merges
    where account_id = ${account_id} and (number = ${number} or merged_number = ${number})`);
  await tx.run(sql`
    delete from person_numbers where account_id = ${account_id} and (number = ${number} or person_id in (
      select id from people where account_id = ${account_id} and number = ${number}))`);
  await tx.run(sql`delete from people where account_id = ${account_id} and number = ${number}`);
  return removed;
}

/**
 * Deletes the contacts that imports added whose files were uploaded before the erasure. An import that ran meanwhile
 * may have added them after the erasure had deleted the contacts. The person that such a contact created has its ID.
 */
export async function eraseImported(tx: Tx, account_id: string, number: string, until: string): Promise<number> {
  const contacts = await tx.rows<{ audience_id: string; id: string }>(sql`
    select k.audience_id, k.id from contacts k
    join audience_imports i on i.account_id = k.account_id and i.id = k.import_id
    where k.account_id = ${account_id} and k.number = ${number} and i.create_date <= ${until}
    order by k.audience_id`);
  for (const { audience_id, id } of contacts) {
    await queries.lockAudience(tx, account_id, audience_id);
    await queries.deleteContact(tx, account_id, audience_id, id);
    emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, -1));
  }
  await tx.run(sql`
    delete from people where account_id = ${account_id} and number = ${number}
      and id = any(${contacts.map(({ id }) => id)}::uuid[])
      and not exists (select from contacts where account_id = ${account_id} and number = ${number})`);
  return contacts.length;
}

export async function eraseAccountContacts({ db }: Kernel, account_id: string, signal: AbortSignal): Promise<void> {
  const audiences = await db.rows<{ id: string }>(
    sql`select id from audiences where account_id = ${account_id} order by id`,
  );
  await db.run(sql`delete from import_rows where account_id = ${account_id}`);
  await db.run(sql`delete from import_changes where account_id = ${account_id}`);
  for (const { id } of audiences) {
    if (signal.aborted) throw new Error('stopped before all contacts were erased');
    await db.tx(async (tx) => {
      await tx.run(sql`update audiences set contacts_count = 0 where account_id = ${account_id} and id = ${id}`);
      await tx.run(sql`delete from contacts where account_id = ${account_id} and audience_id = ${id}`);
    });
  }
  await db.tx(async (tx) => {
    await tx.run(sql`delete from campaign_people where account_id = ${account_id}`);
    await tx.run(sql`delete from person_merges where account_id = ${account_id}`);
    await tx.run(sql`delete from person_numbers where account_id = ${account_id}`);
    await tx.run(sql`delete from people where account_id = ${account_id}`);
    await tx.run(sql`delete from people_fills where account_id = ${account_id}`);
    await tx.run(sql`delete from person_date_fills where account_id = ${account_id}`);
    await tx.run(sql`delete from campaign_triggers where account_id = ${account_id}`);
    await tx.run(sql`delete from campaign_entries where account_id = ${account_id}`);
    await tx.run(sql`delete from contact_fields where account_id = ${account_id}`);
  });
}

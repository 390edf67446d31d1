/** Erases the forms and documents of erased accounts. Requests, decisions, and dates are kept. */
import { EMPTY_REGISTRATION } from '@parley/contract/registrations/registration.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

const EMPTY = JSON.stringify(EMPTY_REGISTRATION);

export async function eraseForms(
  { db, storage }: Pick<Kernel, 'db' | 'storage'>,
  signal?: AbortSignal,
): Promise<number> {
  const accounts = await db.rows<{ id: string }>(sql`
    select a.id from accounts a where a.erase_date is not null and (
      exists (select from sender_registrations r where r.account_id = a.id)
      or exists (select from sender_attachments f where f.account_id = a.id)
      or exists (select from own_numbers n where n.account_id = a.id)
      or exists (select from number_pool_contacts p where p.account_id = a.id)) order by a.id limit 500`);
  for (const { id } of accounts) {
    if (signal?.aborted) break;
    const files = await db.rows<{ storage_key: string }>(
      sql`select storage_key from sender_attachments where account_id = ${id}`,
    );
    // Removes the files before the rows: a later run finds a row without a file, but not a file without a row.
    for (const { storage_key } of files) await storage.remove(storage_key);
    await db.tx(async (tx) => {
      await tx.run(sql`delete from sender_attachments where account_id = ${id}`);
      await tx.run(sql`update sender_requests set form = ${EMPTY}::jsonb where account_id = ${id}`);
      await tx.run(sql`delete from sender_registrations where account_id = ${id}`);
      await tx.run(sql`delete from own_numbers where account_id = ${id}`);
      await tx.run(sql`delete from number_pool_contacts where account_id = ${id}`);
    });
  }
  return accounts.length;
}

/**
 * Erases the contacts and the people of a closed account, and the rows that its imports refused, one audience per
 * transaction, so that no lock is held for long.
 */
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

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
    await tx.run(sql`delete from people where account_id = ${account_id}`);
    await tx.run(sql`delete from people_fills where account_id = ${account_id}`);
    await tx.run(sql`delete from contact_fields where account_id = ${account_id}`);
  });
}

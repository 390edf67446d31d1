/** Replaces the number of contacts when the number of the person changes. */
import { sql, type Tx } from '../../kernel/db/db.ts';

/** A contact stays unchanged in an audience that already has the new number. */
export async function moveContacts(
  tx: Tx,
  account_id: string,
  before: string,
  { number, country }: { number: string; country: string },
): Promise<void> {
  await tx.run(sql`
    update contacts k set number = ${number}, country = ${country}, update_date = ${tx.now}
    from audiences a
    where a.account_id = ${account_id} and k.account_id = a.account_id and k.audience_id = a.id and k.number = ${before}
      and not exists (select from contacts o where o.account_id = a.account_id and o.audience_id = a.id
        and o.number = ${number})`);
}

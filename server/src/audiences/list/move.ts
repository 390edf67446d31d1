/** Replaces the number of a person and of the contacts when the person's number changes. */
import { sql, type Tx } from '../../kernel/db/db.ts';

/**
 * A person who already has the new number stays, and so does a contact in an audience that already has the new number.
 */
export async function moveContacts(
  tx: Tx,
  account_id: string,
  before: string,
  { number, country }: { number: string; country: string },
): Promise<void> {
  await tx.run(sql`
    update people p set number = ${number}, country = ${country}, update_date = ${tx.now}
    where p.account_id = ${account_id} and p.number = ${before}
      and not exists (select from people o where o.account_id = ${account_id} and o.number = ${number})`);
  await tx.run(sql`
    update campaign_people p set number = ${number}
    where p.account_id = ${account_id} and p.number = ${before}
      and not exists (select from campaign_people o where o.account_id = ${account_id} and o.number = ${number}
        and o.set_id = p.set_id)`);
  await tx.run(sql`
    update contacts k set number = ${number}, country = ${country}, update_date = ${tx.now}
    from audiences a
    where a.account_id = ${account_id} and k.account_id = a.account_id and k.audience_id = a.id and k.number = ${before}
      and not exists (select from contacts o where o.account_id = a.account_id and o.audience_id = a.id
        and o.number = ${number})`);
}

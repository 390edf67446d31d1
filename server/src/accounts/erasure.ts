/**
 * Erases personal data (users, company details, contacts) 30 days after an account is closed. This cannot be undone.
 * The ledger, messages, stop list, and audit log are kept as evidence, and only operators can read them.
 */

import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { announceCustomer } from './announce.ts';
import { ERASE_DAYS, releaseNumbers } from './lifecycle.ts';

/** Implemented by `audiences`, a later module, which owns the table. */
export const eraseContacts = job<{ account_id: string }>('accounts.erase_contacts');

const selectDue = (db: Queryable) =>
  db.rows<{ id: string }>(sql`
    select id from accounts
    where close_date < now() - make_interval(days => ${ERASE_DAYS}) and erase_date is null
    order by close_date limit 500`);

export async function eraseClosed({ db }: Pick<Kernel, 'db'>, signal: AbortSignal): Promise<number> {
  const accounts = await selectDue(db);
  for (const { id } of accounts) {
    if (signal.aborted) break;
    await db.tx((tx) => erase(tx, id));
  }
  return accounts.length;
}

async function erase(tx: Tx, id: string): Promise<void> {
  // In the meantime, the account may have been reopened, or another worker may have erased it.
  const closed = await tx.maybeOne(sql`
    select 1 from accounts where id = ${id} and close_date is not null and erase_date is null for update`);
  if (!closed) return;
  const logins = await tx.rows<{ login_id: string }>(sql`
    select login_id from users where account_id = ${id} and login_id is not null`);
  await tx.run(sql`
    update users set login_id = null, remove_date = coalesce(remove_date, ${tx.now}), email = '',
      first_name = 'Erased', last_name = '', position = null, permissions = '{}', block_reason = '',
      update_date = ${tx.now}
    where account_id = ${id}`);
  await tx.run(sql`delete from sessions where account_id = ${id}`);
  await tx.run(sql`
    delete from logins l
    where l.id = any(${logins.map((row) => row.login_id)}::uuid[])
      and not exists (select 1 from users u where u.login_id = l.id)`);
  await tx.run(sql`delete from invitations where account_id = ${id}`);
  await tx.run(sql`delete from account_reviews where account_id = ${id}`);
  await tx.run(sql`delete from mails where account_id = ${id}`);
  await tx.run(sql`delete from vat_checks where account_id = ${id}`);
  await tx.run(sql`delete from saved_views where account_id = ${id}`);
  await tx.run(sql`delete from brands where account_id = ${id}`);
  await tx.run(sql`delete from brand_images where account_id = ${id}`);
  // The sweep of exports removes their files.
  await tx.run(sql`update exports set remove_date = ${tx.now} where account_id = ${id} and remove_date is null`);
  await tx.run(sql`
    update accounts set company_name = 'Closed account', company_address = '', company_website = '', vat_number = '',
      use_case = '', invoice_company = '', invoice_emails = '{}', preference = '{}', block_reason = '',
      erase_date = ${tx.now}, update_date = ${tx.now}
    where id = ${id}`);
  await enqueue(tx, eraseContacts, { account_id: id });
  await enqueue(tx, releaseNumbers, { account_id: id });
  record(
    tx,
    { actor: { account_id: id, user_id: null } },
    { action: 'account.erased', target: { type: 'account', id, name: '' } },
  );
  await announceCustomer(tx, id);
}

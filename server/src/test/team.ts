/** Inserts invitations and sub-accounts for tests. */
import { hashToken } from '../auth/auth.ts';
import { newId, secret } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Company, makeUser } from './make.ts';

/** Creates an invitation that is old enough to be resent. */
export async function makeInvitation({ db }: Kernel, { account_id, user_id }: Company): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into invitations (account_id, id, email, permissions, token_hash, invited_by, inviter_account_id,
                             send_date, expire_date)
    values (${account_id}, ${id}, ${`${id}@test.localhost`}, '{}', ${hashToken(secret())}, ${user_id},
            ${account_id}, now() - interval '2 hours', now() + interval '5 days')`);
  return id;
}

export async function makeSubAccount(kernel: Kernel, parent: Company): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    with made as (
      insert into accounts (id, account_type, parent_id, company_name, status)
      values (${id}, 'SUB_ACCOUNT', ${parent.account_id}, ${`Branch ${id}`}, 'VERIFIED') returning id, currency
    ) insert into balances (account_id, currency) select id, currency from made`);
  await makeUser(kernel, id, { owner: true });
  return id;
}

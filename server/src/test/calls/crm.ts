/** Inserts connections to CRMs for tests. */
import type { Permissions } from '@parley/contract/permission.ts';
import { hashToken } from '../../auth/auth.ts';
import { newId, secret } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { makeUser } from '../make.ts';

/** The CRM's ID of the company that belongs to an account. */
export const crmCompany = (account_id: string): string => `company ${account_id}`.slice(0, 40);

/** Returns the token of a panel that acts as a new user with these permissions. */
export async function makePanelToken(kernel: Kernel, account_id: string, permissions: Permissions): Promise<string> {
  const { user_id } = await makeUser(kernel, account_id, { permissions });
  const token = secret();
  await kernel.db.run(sql`
    insert into crm_connections (account_id, provider, company_id, company_name, company_url)
    values (${account_id}, 'pipedrive', ${crmCompany(account_id)}, 'Company', '') on conflict do nothing`);
  await kernel.db.run(sql`
    insert into crm_users (account_id, provider, id, user_id, name, email, api_url, access_token, refresh_token,
                           token_expire_date)
    values (${account_id}, 'pipedrive', ${user_id}, ${user_id}, 'Test', '', 'https://127.0.0.1:9', 'x', 'x', now())`);
  await kernel.db.run(sql`
    insert into crm_sessions (token_hash, id, account_id, provider, crm_user_id, expire_date)
    values (${hashToken(token)}, ${newId()}, ${account_id}, 'pipedrive', ${user_id}, now() + interval '1 hour')`);
  return token;
}

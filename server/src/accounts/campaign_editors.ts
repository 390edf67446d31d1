/** The users who may approve campaigns. */
import { sql, type Tx } from '../kernel/db/db.ts';

interface CampaignEditor {
  id: string;
  email: string;
  first_name: string;
}

/** Returns at most `limit` active users who may edit campaigns, without those in `except`. */
export const listCampaignEditors = (tx: Tx, account_id: string, except: readonly string[], limit = 50) =>
  tx.rows<CampaignEditor>(sql`
    select u.id, u.email, u.first_name from users u
    where u.account_id = ${account_id} and u.remove_date is null and not u.blocked and u.login_id is not null
      and (u.is_owner or coalesce((u.permissions->>'CAMPAIGNS')::int, 0) & 4 <> 0)
      and u.id <> all(${except}::uuid[])
    order by u.id limit ${limit}`);

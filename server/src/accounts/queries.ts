import type { Account, User } from '@parley/contract/accounts.ts';
import { type Queryable, sql } from '../kernel/db.ts';

export const account = (db: Queryable, account_id: string) =>
  db.maybeOne<Account>(sql`
    select a.id, a.id as account_id, a.company_name, a.country_code, a.currency, a.timezone, a.status,
           a.status = 'VERIFIED' as verified, a.account_type, a.channels, a.tags, a.industry_id,
           a.kind = 'OPERATOR' as operator, a.create_date, a.update_date,
           coalesce((select email from users u where u.account_id = a.id and u.is_owner order by u.id limit 1), '') as username
    from accounts a where a.id = ${account_id}`);

export const user = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<User>(sql`
    select id, account_id, email, first_name, last_name, trim(first_name || ' ' || last_name) as full_name, phone_number, position,
           status, is_owner, permissions, create_date
    from users where account_id = ${account_id} and id = ${id}`);

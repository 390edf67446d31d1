import { sql, type Tx } from '../../kernel/db/db.ts';

/** Records which company is the demo at every start, so that an older data folder also has it. */
export const noteDemoCompany = (tx: Tx, owner: string): Promise<unknown> =>
  tx.run(sql`
    insert into demo_company (account_id)
    select u.account_id from users u join logins l on l.id = u.login_id
    where lower(l.email) = ${owner} and u.is_owner order by u.account_id limit 1
    on conflict (sole) do nothing`);

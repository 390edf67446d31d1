import { type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';

export interface DomainRow {
  id: string;
  account_id: string;
  host: string;
  token: string;
  verified: boolean;
  create_date: string;
}

const columns = raw('id, account_id, host, token, verified, create_date');

/** Oldest first. */
export const listDomains = (db: Queryable, account_id: string) =>
  db.rows<DomainRow>(sql`select ${columns} from link_domains where account_id = ${account_id} order by id`);

export const findDomain = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<DomainRow>(sql`select ${columns} from link_domains where account_id = ${account_id} and id = ${id}`);

/** Returns null if the account has the domain already. */
export const insertDomain = (tx: Tx, domain: Pick<DomainRow, 'account_id' | 'id' | 'host' | 'token'>) =>
  tx.maybeOne<DomainRow>(sql`
    insert into link_domains (account_id, id, host, token, create_date)
    values (${domain.account_id}, ${domain.id}, ${domain.host}, ${domain.token}, ${tx.now})
    on conflict (account_id, host) do nothing
    returning ${columns}`);

/** Returns null if another account has verified the domain. */
export const markVerified = (tx: Tx, { account_id, id, host }: DomainRow) =>
  tx.maybeOne<DomainRow>(sql`
    update link_domains set verified = true
    where account_id = ${account_id} and id = ${id}
      and not exists (select 1 from link_domains o where o.host = ${host} and o.verified and o.id <> ${id})
    returning ${columns}`);

export const deleteDomain = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from link_domains where account_id = ${account_id} and id = ${id}`);

export const isDomainUsed = async (db: Queryable, account_id: string, host: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from links where account_id = ${account_id} and domain = ${host} and not archived limit 1`)) !== null;

export const isVerifiedHost = async (db: Queryable, host: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from link_domains where host = ${host} and verified`)) !== null;

export const hasVerifiedDomain = async (db: Queryable, account_id: string, host: string): Promise<boolean> =>
  (await db.maybeOne(
    sql`select 1 from link_domains where account_id = ${account_id} and host = ${host} and verified`,
  )) !== null;

/** The domain of the account's links in texts: the one that was added first. */
export const findTextDomain = async (db: Queryable, account_id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ host: string }>(
      sql`select host from link_domains where account_id = ${account_id} and verified order by id limit 1`,
    )
  )?.host ?? null;

import type { SavedResponse } from '@parley/contract/inbox/responses.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';

export interface StoredResponse extends Omit<SavedResponse, 'is_own'> {
  user_id: string;
}

const responses: Sql = sql`
  select r.id, r.account_id, r.user_id, r.name, r.text, r.shared, r.usage_count,
         to_char(r.last_use_date, 'YYYY-MM-DD HH24:MI:SS') as last_use_date,
         to_char(r.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date,
         coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email, '') as user_name
  from responses r left join users u on u.account_id = r.account_id and u.id = r.user_id`;

export interface Owner {
  account_id: string;
  user_id: string;
}

const visible = ({ account_id, user_id }: Owner, search: string | undefined): Sql =>
  and([
    sql`r.account_id = ${account_id}`,
    sql`(r.shared or r.user_id = ${user_id})`,
    search && sql`(r.name ilike ${likePattern(search)} or r.text ilike ${likePattern(search)})`,
  ]);

export const responsePage = (db: Queryable, owner: Owner, search: string | undefined, page: Page) =>
  db.rows<StoredResponse>(sql`
    ${responses} where ${visible(owner, search)}
    order by lower(r.name), r.id limit ${page.size + 1} offset ${page.offset}`);

export const countResponses = async (db: Queryable, owner: Owner, search: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from responses r where ${visible(owner, search)} limit ${CAP + 1}) capped`)
  ).count;

export const visibleResponse = (db: Queryable, owner: Owner, id: string) =>
  db.maybeOne<StoredResponse>(sql`${responses} where ${visible(owner, undefined)} and r.id = ${id}`);

/** Serializes what one user saves, so that the responses stay within the limit. */
export const lockResponses = (tx: Tx, { account_id, user_id }: Owner) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${user_id} responses`}, 7304))`);

export const ownNames = (db: Queryable, { account_id, user_id }: Owner) =>
  db.rows<{ name: string }>(sql`
    select lower(name) as name from responses where account_id = ${account_id} and user_id = ${user_id}`);

export const insertResponse = (
  tx: Tx,
  { account_id, user_id }: Owner,
  response: Pick<SavedResponse, 'id' | 'name' | 'text' | 'shared'>,
) =>
  tx.run(sql`
    insert into responses (account_id, id, user_id, name, text, shared, create_date)
    values (${account_id}, ${response.id}, ${user_id}, ${response.name}, ${response.text}, ${response.shared},
            ${tx.now})`);

export const deleteResponse = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from responses where account_id = ${account_id} and id = ${id}`);

/** Deletes the private responses of a user who left. Shared ones stay. */
export const deletePrivateResponses = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from responses where account_id = ${account_id} and user_id = ${user_id} and not shared`);

export const countUse = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update responses set usage_count = usage_count + 1, last_use_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

/** The values of the latest contact with this number, and the name of the user. */
export const variableValues = (
  db: Queryable,
  { account_id, user_id }: Owner,
  number: string,
): Promise<Record<string, string | null>> =>
  db.one(sql`
    select contact.*, (
      select concat_ws(' ', u.first_name, u.last_name) from users u
      where u.account_id = ${account_id} and u.id = ${user_id}) as agent_name
    from (select 1) as one left join lateral (
      select k.first_name, k.last_name, k.custom1, k.custom2
      from audiences a join contacts k on k.account_id = a.account_id and k.audience_id = a.id
      where a.account_id = ${account_id} and k.number = ${number}
      order by k.update_date desc limit 1
    ) contact on true`);

import type { SavedResponse } from '@parley/contract/inbox/responses.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';

export interface StoredResponse extends Omit<SavedResponse, 'is_own'> {
  user_id: string;
}

const responses: Sql = sql`
  select r.id, r.account_id, r.user_id, r.name, r.text, r.folder, r.shortcut, r.shared, r.usage_count,
         to_char(r.last_use_date, 'YYYY-MM-DD HH24:MI:SS') as last_use_date,
         to_char(r.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date,
         coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email, '') as user_name
  from responses r left join users u on u.account_id = r.account_id and u.id = r.user_id`;

export interface Owner {
  account_id: string;
  user_id: string;
}

export interface ResponseFilter {
  search?: string | undefined;
  folder?: string | undefined;
}

/** The slash that users type before a shortcut. */
const withoutSlash = (search: string): string => search.replace(/^\//, '').toLowerCase();

const visible = ({ account_id, user_id }: Owner, { search, folder }: ResponseFilter = {}): Sql =>
  and([
    sql`r.account_id = ${account_id}`,
    sql`(r.shared or r.user_id = ${user_id})`,
    folder && sql`lower(r.folder) = lower(${folder})`,
    search &&
      sql`(r.name ilike ${likePattern(search)} or r.text ilike ${likePattern(search)}
           or starts_with(r.shortcut, ${withoutSlash(search)}))`,
  ]);

/**
 * The exact shortcut comes first, then shortcuts that begin with the search. The user's own responses come before
 * shared ones.
 */
const bestFirst = ({ user_id }: Owner, search: string | undefined): Sql =>
  search
    ? sql`r.shortcut is distinct from ${withoutSlash(search)},
          starts_with(coalesce(r.shortcut, ''), ${withoutSlash(search)}) is false,
          r.user_id <> ${user_id} and r.shortcut is not distinct from ${withoutSlash(search)},`
    : sql``;

export const listResponseRows = (db: Queryable, owner: Owner, filter: ResponseFilter, page: Page) =>
  db.rows<StoredResponse>(sql`
    ${responses} where ${visible(owner, filter)}
    order by ${bestFirst(owner, filter.search)} lower(r.folder), lower(r.name), r.id
    limit ${page.size + 1} offset ${page.offset}`);

export const countResponses = async (db: Queryable, owner: Owner, filter: ResponseFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from responses r where ${visible(owner, filter)} limit ${CAP + 1}) capped`)
  ).count;

/** A folder whose name is written in several ways is one folder. */
export const listFolders = (db: Queryable, owner: Owner) =>
  db.rows<{ name: string; responses: number }>(sql`
    select min(r.folder) as name, count(*) as responses from responses r
    where ${visible(owner)} and r.folder is not null group by lower(r.folder) order by lower(r.folder)`);

export const findVisibleResponse = (db: Queryable, owner: Owner, id: string) =>
  db.maybeOne<StoredResponse>(sql`${responses} where ${visible(owner)} and r.id = ${id}`);

/** Serializes changes, so that names and shortcuts stay unique and the responses within the limit. */
export const lockResponses = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} responses`}, 7304))`);

/** The responses of a user other than the one that changes. */
export const listOtherNames = (db: Queryable, { account_id, user_id }: Owner, id: string) =>
  db.rows<{ name: string }>(sql`
    select lower(name) as name from responses
    where account_id = ${account_id} and user_id = ${user_id} and id <> ${id}`);

type SavedFields = Pick<StoredResponse, 'id' | 'user_id' | 'name' | 'text' | 'folder' | 'shortcut' | 'shared'>;

/** True if another response of the same scope has the shortcut: shared ones, or private ones of the user. */
export const hasShortcut = async (db: Queryable, account_id: string, response: SavedFields): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from responses
    where account_id = ${account_id} and shortcut = ${response.shortcut} and id <> ${response.id}
      and shared = ${response.shared} and (shared or user_id = ${response.user_id})`)) !== null;

export const saveResponse = (tx: Tx, account_id: string, response: SavedFields) =>
  tx.run(sql`
    insert into responses (account_id, id, user_id, name, text, folder, shortcut, shared, create_date)
    values (${account_id}, ${response.id}, ${response.user_id}, ${response.name}, ${response.text}, ${response.folder},
            ${response.shortcut}, ${response.shared}, ${tx.now})
    on conflict (account_id, id) do update set name = excluded.name, text = excluded.text, folder = excluded.folder,
      shortcut = excluded.shortcut, shared = excluded.shared`);

export const deleteResponse = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from responses where account_id = ${account_id} and id = ${id}`);

/** Deletes the private responses of a user who left. Shared ones stay. */
export const deletePrivateResponses = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from responses where account_id = ${account_id} and user_id = ${user_id} and not shared`);

export const countUse = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update responses set usage_count = usage_count + 1, last_use_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

/** The values of the latest contact with this number, and the user's name. */
export const readVariableValues = (
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

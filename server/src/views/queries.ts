import type { ViewList } from '@parley/contract/views/lists.ts';
import type { View, ViewState } from '@parley/contract/views/views.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';

export interface StoredView extends Omit<View, 'is_own' | 'list'> {
  user_id: string;
  list: ViewList;
}

const views: Sql = sql`
  select v.id, v.user_id, v.list, v.name, v.shared, v.state, v.create_date, v.update_date,
         trim(u.first_name || ' ' || u.last_name) as user_name
  from saved_views v join users u on u.account_id = v.account_id and u.id = v.user_id`;

export interface Owner {
  account_id: string;
  user_id: string;
}

/** A list of the app shows at most this number of shared views. */
const MAX_SHARED = 500;

export const listVisibleViews = (db: Queryable, { account_id, user_id }: Owner, list: ViewList) =>
  db.rows<StoredView>(sql`
    ${views} where v.account_id = ${account_id} and v.list = ${list} and (v.user_id = ${user_id} or v.shared)
    order by v.user_id <> ${user_id}, lower(v.name), v.id limit ${MAX_SHARED}`);

export const findView = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<StoredView>(sql`${views} where v.account_id = ${account_id} and v.id = ${id}`);

/** Serializes the changes of one user's views of a list, so that they stay within the limit. */
export const lockViews = (tx: Tx, { account_id, user_id }: Owner, list: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${user_id} ${list}`}, 7303))`);

export const listTakenNames = async (db: Queryable, { account_id, user_id }: Owner, list: string) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, lower(name) as name from saved_views
    where account_id = ${account_id} and user_id = ${user_id} and list = ${list}`);

interface NewView extends Owner {
  id: string;
  list: ViewList;
  name: string;
  shared: boolean;
  state: ViewState;
}

export const insertView = (tx: Tx, view: NewView) =>
  tx.run(sql`
    insert into saved_views (account_id, id, user_id, list, name, shared, state, create_date, update_date)
    values (${view.account_id}, ${view.id}, ${view.user_id}, ${view.list}, ${view.name}, ${view.shared},
            ${JSON.stringify(view.state)}::jsonb, ${tx.now}, ${tx.now})`);

export const setView = (tx: Tx, account_id: string, view: Pick<StoredView, 'id' | 'name' | 'shared' | 'state'>) =>
  tx.run(sql`
    update saved_views set name = ${view.name}, shared = ${view.shared}, state = ${JSON.stringify(view.state)}::jsonb,
                           update_date = ${tx.now}
    where account_id = ${account_id} and id = ${view.id}`);

export const deleteView = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from saved_views where account_id = ${account_id} and id = ${id}`);

export const deleteViews = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from saved_views where account_id = ${account_id} and user_id = ${user_id} and not shared`);

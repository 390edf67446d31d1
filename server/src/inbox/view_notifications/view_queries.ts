import type { ViewNotifications } from '@parley/contract/inbox/view_notifications.ts';
import type { ViewState } from '@parley/contract/views/views.ts';
import { customPlan, join, type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { type Scope, selectConditions } from '../queries.ts';

interface User {
  account_id: string;
  user_id: string;
}

export const listSettings = (db: Queryable, { account_id, user_id }: User) =>
  db.rows<ViewNotifications>(sql`
    select view_id, devices, toasts, sound, digest from view_notifications
    where account_id = ${account_id} and user_id = ${user_id} order by view_id`);

export const saveSettings = (tx: Tx, { account_id, user_id }: User, row: ViewNotifications) =>
  tx.run(sql`
    insert into view_notifications (account_id, user_id, view_id, devices, toasts, sound, digest)
    values (${account_id}, ${user_id}, ${row.view_id}, ${row.devices}, ${row.toasts}, ${row.sound}, ${row.digest})
    on conflict (account_id, user_id, view_id) do update set
      devices = excluded.devices, toasts = excluded.toasts, sound = excluded.sound, digest = excluded.digest`);

export const deleteSettings = (tx: Tx, { account_id, user_id }: User, view_id: string) =>
  tx.run(sql`
    delete from view_notifications
    where account_id = ${account_id} and user_id = ${user_id} and view_id = ${view_id}`);

/** Settings of a view that is no longer shared with the user do not count. */
export const listWatched = (db: Queryable, { account_id, user_id }: User) =>
  db.rows<ViewNotifications & { name: string; state: ViewState }>(sql`
    select n.view_id, n.devices, n.toasts, n.sound, n.digest, v.name, v.state
    from view_notifications n
    join saved_views v on v.account_id = n.account_id and v.id = n.view_id and v.list = 'inbox'
      and (v.user_id = n.user_id or v.shared)
    where n.account_id = ${account_id} and n.user_id = ${user_id} order by lower(v.name), v.id`);

/** Returns the places of the views that contain the conversation. */
export const findContaining = async (
  db: Queryable,
  views: readonly { scope: Scope }[],
  conversation_id: string,
): Promise<number[]> =>
  (
    await db.rows<{ n: number }>(
      customPlan(
        join(
          views.map(
            ({ scope }, n) => sql`
              (select ${n}::int as n from conversations c
               where c.id = ${conversation_id}::uuid and ${selectConditions(scope, 'page')})`,
          ),
          ' union all ',
        ),
      ),
    )
  ).map(({ n }) => n);

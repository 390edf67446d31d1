import { DUE_SOON_MINUTES, type DueState, type Target } from '@parley/contract/inbox/targets.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

/** The IDs of the conversations in a state, those due first, up to 1,000. */
export const dueIn = (account_id: string, state: DueState): Sql => sql`
  select k.conversation_id from conversation_clocks k
  where k.account_id = ${account_id} and ${
    state === 'overdue'
      ? sql`k.due_date <= now()`
      : sql`k.due_date > now() and k.due_date <= now() + ${DUE_SOON_MINUTES} * interval '1 minute'`
  }
  order by k.due_date limit 1000`;

/** Reads only clocks that have run out, in the order of their times. */
export const listAccountsWithMisses = (db: Queryable, now: Date) =>
  db.rows<{ account_id: string }>(sql`
    select distinct due.account_id from (
      select account_id from conversation_clocks where check_date <= ${now} order by check_date limit 1000) due`);

/** Locks conversations before their clocks, like every change of a conversation. */
export const lockMissed = async (tx: Tx, account_id: string, now: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      select c.id from conversations c
      where c.account_id = ${account_id} and c.id = any(array(
        select conversation_id from conversation_clocks
        where account_id = ${account_id} and check_date <= ${now} order by check_date limit ${limit}))
      order by c.id for update`)
  ).map(({ id }) => id);

export interface Missed {
  conversation_id: string;
  target: Target;
  due: string;
  assignee_id: string | null;
}

/** Marks the clocks that have run out, and returns their targets. */
export const markMissed = (tx: Tx, account_id: string, ids: readonly string[], now: Date) =>
  tx.rows<Missed>(sql`
    with due as (
      select conversation_id, response_check <= ${now} as response, resolution_check <= ${now} as resolution
      from conversation_clocks
      where account_id = ${account_id} and conversation_id = any(${ids}::uuid[]) and check_date <= ${now}
      for update
    ), marked as (
      update conversation_clocks k
      set response_check = case when not due.response then k.response_check end,
          resolution_check = case when not due.resolution then k.resolution_check end
      from due
      where k.account_id = ${account_id} and k.conversation_id = due.conversation_id
      returning k.conversation_id, k.response_due, k.resolution_due, due.response, due.resolution
    )
    select m.conversation_id, t.target, to_char(t.due, 'YYYY-MM-DD HH24:MI:SS') as due, c.assignee_id
    from marked m
    join conversations c on c.account_id = ${account_id} and c.id = m.conversation_id
    cross join lateral (values ('response', m.response_due, m.response), ('resolution', m.resolution_due, m.resolution))
      as t(target, due, missed)
    where t.missed
    order by m.conversation_id, t.target desc`);

export const findOverdueLabel = async (db: Queryable, account_id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ overdue_label_id: string | null }>(sql`
    select overdue_label_id from inbox_settings where account_id = ${account_id}`)
  )?.overdue_label_id ?? null;

/** Computes the clocks of the open conversations after `after`, and returns the last one; null: there are no more. */
export const setClocks = async (tx: Tx, account_id: string, after: string, limit: number): Promise<string | null> => {
  const rows = await tx.rows<{ id: string; clock: unknown }>(sql`
    with open as materialized (
      select c.id from conversations c
      where c.account_id = ${account_id} and c.id = any(array(
        select conversation_id from conversation_episodes
        where account_id = ${account_id} and conversation_id > ${after} and close_date is null
        order by conversation_id limit ${limit}))
      order by c.id for update)
    select id, set_clock(${account_id}, id) as clock from open order by id`);
  return rows.at(-1)?.id ?? null;
};

export const forgetLabel = (tx: Tx, account_id: string, label_id: string) =>
  tx.run(sql`
    update inbox_settings set overdue_label_id = null
    where account_id = ${account_id} and overdue_label_id = ${label_id}`);

import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface StatusRow {
  id: string;
  status: ConversationStatus;
}

/** Nothing waits for a reply in a closed conversation. */
export const setStatus = (
  tx: Tx,
  account_id: string,
  id: string,
  status: ConversationStatus,
  snooze_until: Date | null,
) =>
  tx.run(sql`
    update conversations set status = ${status}, snooze_until = ${snooze_until},
                             waiting_since = case when ${status} = 'closed' then null else waiting_since end
    where account_id = ${account_id} and id = ${id}`);

export interface MovedRow {
  id: string;
  assignee_id: string | null;
  /** The status before the change. */
  before: ConversationStatus;
}

export const wake = (tx: Tx, account_id: string, now: Date, limit: number) =>
  tx.rows<MovedRow>(sql`
    update conversations set status = 'open', snooze_until = null
    where account_id = ${account_id} and id in (
      select id from conversations
      where account_id = ${account_id} and status = 'snoozed' and delete_date is null and snooze_until <= ${now}
      order by id limit ${limit} for update)
    returning id, assignee_id, 'snoozed' as before`);

/** Reads only conversations that are due, in the order of their times. */
export const listAccountsToWake = (db: Queryable, now: Date) =>
  db.rows<{ account_id: string }>(sql`
    select distinct due.account_id from (
      select account_id from conversations where status = 'snoozed' and snooze_until <= ${now}
      order by snooze_until limit 1000) due`);

export const listAccountsThatClose = (db: Queryable) =>
  db.rows<{ account_id: string; auto_close_days: number }>(sql`
    select account_id, auto_close_days from inbox_settings where auto_close_days is not null order by account_id`);

/** Omits conversations that are waiting for a reply or have unread messages. */
export const closeIdle = (tx: Tx, account_id: string, before: Date, limit: number) =>
  tx.rows<MovedRow>(sql`
    with idle as materialized (
      select id, status from conversations
      where account_id = ${account_id} and status in ('open', 'pending') and delete_date is null
        and "timestamp" < ${before} and waiting_since is null and unread_count = 0
      order by id limit ${limit} for update)
    update conversations c set status = 'closed' from idle
    where c.account_id = ${account_id} and c.id = idle.id
    returning c.id, c.assignee_id, idle.status as before`);

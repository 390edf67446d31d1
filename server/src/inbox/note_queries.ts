import type { ConversationEntry } from '@parley/contract/inbox/entries.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface TeamUser {
  id: string;
  email: string;
  first_name: string;
  full_name: string;
  permissions: Permissions;
  is_owner: boolean;
}

/** The active users of a company are few, so all of them are read. */
export const listTeamUsers = (db: Queryable, account_id: string) =>
  db.rows<TeamUser>(sql`
    select id, email, first_name, coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email) as full_name,
           permissions, is_owner
    from users where account_id = ${account_id} and not blocked and remove_date is null
    order by lower(first_name), lower(last_name), lower(email), id`);

interface StoredNote {
  user_id: string | null;
  mentions: ConversationEntry['mentions'];
}

export const lockNote = (tx: Tx, account_id: string, conversation_id: string, id: string) =>
  tx.maybeOne<StoredNote>(sql`
    select user_id, coalesce(detail->'mentions', '[]') as mentions from conversation_entries
    where account_id = ${account_id} and id = ${id} and conversation_id = ${conversation_id} and kind = 'note'
    for update`);

export const deleteNote = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from conversation_entries where account_id = ${account_id} and id = ${id} and kind = 'note'`);

import type { ConversationEntry, MissedTarget, RuleOutcome, StatusChange } from '@parley/contract/inbox/entries.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';
import { userJson } from './assignment_queries.ts';

const entries: Sql = sql`
  select e.id, e.conversation_id, e.kind, ${userJson(sql`u`)} as "user", e.text,
         coalesce(e.detail->'mentions', '[]') as mentions, e.detail->'status' as status,
         e.detail->'answered' as answered, e.detail->'rule' as rule, e.detail->'missed' as missed,
         e.create_date as timestamp, e.update_date
  from conversation_entries e left join users u on u.account_id = e.account_id and u.id = e.user_id`;

export const listEntryRows = (db: Queryable, account_id: string, conversation_id: string, page: Page) =>
  db.rows<ConversationEntry>(sql`
    ${entries} where e.account_id = ${account_id} and e.conversation_id = ${conversation_id}
    order by e.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countEntries = async (db: Queryable, account_id: string, conversation_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from conversation_entries
        where account_id = ${account_id} and conversation_id = ${conversation_id} limit ${CAP + 1}) capped`)
  ).count;

export interface NewEntry {
  id: string;
  conversation_id: string;
  kind: ConversationEntry['kind'];
  user_id: string | null;
  text?: string;
  detail?: {
    status?: StatusChange;
    mentions?: ConversationEntry['mentions'];
    answered?: ConversationEntry['answered'];
    rule?: RuleOutcome;
    missed?: MissedTarget;
  };
}

export const insertEntries = async (
  tx: Tx,
  account_id: string,
  rows: readonly NewEntry[],
): Promise<ConversationEntry[]> => {
  await tx.run(sql`
    insert into conversation_entries (account_id, id, conversation_id, kind, user_id, text, detail, create_date)
    select ${account_id}, t.id, t.conversation_id, t.kind, t.user_id, t.text, t.detail, ${tx.now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.conversation_id)}::uuid[],
                ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ user_id }) => user_id)}::uuid[],
                ${rows.map(({ text }) => text ?? '')}::text[],
                ${rows.map(({ detail }) => JSON.stringify(detail ?? {}))}::jsonb[])
         as t(id, conversation_id, kind, user_id, text, detail)`);
  return tx.rows<ConversationEntry>(sql`
    ${entries} where e.account_id = ${account_id} and e.id = any(${rows.map(({ id }) => id)}::uuid[]) order by e.id`);
};

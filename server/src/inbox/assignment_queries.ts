import type { Assignee, Assignment } from '@parley/contract/inbox/assignments.ts';
import type { Need } from '@parley/contract/permission.ts';
import { BITS, split } from '@parley/contract/permission.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';

const fullName = (alias: Sql): Sql => sql`concat_ws(' ', ${alias}.first_name, ${alias}.last_name)`;

/** The name or the email address of a user as {id, full_name}; null without a user. */
export const userJson = (alias: Sql): Sql => sql`
  case when ${alias}.id is not null then jsonb_build_object(
    'id', ${alias}.id, 'full_name', coalesce(nullif(${fullName(alias)}, ''), ${alias}.email)) end`;

const assignments: Sql = sql`
  select a.id, a.conversation_id, ${userJson(sql`f`)} as "from", ${userJson(sql`t`)} as "to", ${userJson(sql`b`)} as by,
         a.rule_name as rule,
         to_char(a.create_date, 'YYYY-MM-DD HH24:MI:SS') as timestamp, a.seen_date is not null as seen_by_assignee
  from conversation_assignments a
  left join users f on f.account_id = a.account_id and f.id = a.from_user_id
  left join users t on t.account_id = a.account_id and t.id = a.to_user_id
  left join users b on b.account_id = a.account_id and b.id = a.by_user_id`;

export const listAssignmentRows = (db: Queryable, account_id: string, conversation_id: string, page: Page) =>
  db.rows<Assignment>(sql`
    ${assignments} where a.account_id = ${account_id} and a.conversation_id = ${conversation_id}
    order by a.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countAssignments = async (db: Queryable, account_id: string, conversation_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from conversation_assignments
        where account_id = ${account_id} and conversation_id = ${conversation_id} limit ${CAP + 1}) capped`)
  ).count;

const OPEN_MAX = 1_000;
/** The open conversations of the user `u`. */
export const openCount: Sql = sql`
  (select count(*) from (
     select from conversations c
     where c.account_id = u.account_id and c.assignee_id = u.id and c.status = 'open' and c.delete_date is null
     limit ${OPEN_MAX}) capped)`;

/** The people of a company are few, so all of them are read. */
export const listInboxUsers = (db: Queryable, account_id: string, need: Need): Promise<Omit<Assignee, 'initials'>[]> =>
  db.rows(sql`
    select u.id, ${fullName(sql`u`)} as full_name, u.email, coalesce(a.away, false) as away, a.capacity,
           ${openCount} as open
    from users u left join inbox_agents a on a.account_id = u.account_id and a.user_id = u.id
    where u.account_id = ${account_id} and ${isAssignable(need)}
    order by lower(u.first_name), lower(u.last_name), lower(u.email), u.id`);

export const isAssignableUser = async (db: Queryable, account_id: string, id: string, need: Need): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from users u where u.account_id = ${account_id} and u.id = ${id} and ${isAssignable(need)}`)) !== null;

export function isAssignable(need: Need): Sql {
  const { resource, level } = split(need);
  return sql`
    not u.blocked and (u.is_owner or coalesce((u.permissions->>${resource})::int, 0) & ${BITS[level]}::int <> 0)`;
}

export const setAssignee = (tx: Tx, account_id: string, id: string, assignee_id: string | null) =>
  tx.run(sql`update conversations set assignee_id = ${assignee_id} where account_id = ${account_id} and id = ${id}`);

export interface NewAssignment {
  conversation_id: string;
  from_user_id: string | null;
  to_user_id: string | null;
  by_user_id: string | null;
  rule_name?: string | null;
}

/** A user who takes a conversation has seen it. */
export const insertAssignments = async (
  tx: Tx,
  account_id: string,
  changes: readonly NewAssignment[],
): Promise<Assignment[]> => {
  const ids = changes.map(() => newId());
  await tx.run(sql`
    insert into conversation_assignments (account_id, id, conversation_id, from_user_id, to_user_id, by_user_id,
                                          rule_name, create_date, seen_date)
    select ${account_id}, t.id, t.conversation_id, t.from_user_id, t.to_user_id, t.by_user_id, t.rule_name, ${tx.now},
           case when t.to_user_id = t.by_user_id then ${tx.now}::timestamptz end
    from unnest(${ids}::uuid[], ${changes.map((change) => change.conversation_id)}::uuid[],
                ${changes.map((change) => change.from_user_id)}::uuid[],
                ${changes.map((change) => change.to_user_id)}::uuid[],
                ${changes.map((change) => change.by_user_id)}::uuid[],
                ${changes.map((change) => change.rule_name ?? null)}::text[])
         as t(id, conversation_id, from_user_id, to_user_id, by_user_id, rule_name)`);
  return tx.rows<Assignment>(sql`
    ${assignments} where a.account_id = ${account_id} and a.id = any(${ids}::uuid[]) order by a.id`);
};

/** Marks the latest assignment of the conversation seen, if it is to this user. */
export const markSeen = (tx: Tx, account_id: string, conversation_id: string, user_id: string): Promise<number> =>
  tx.run(sql`
    update conversation_assignments set seen_date = ${tx.now}
    where account_id = ${account_id} and seen_date is null and to_user_id = ${user_id} and id = (
      select id from conversation_assignments
      where account_id = ${account_id} and conversation_id = ${conversation_id} order by id desc limit 1)`);

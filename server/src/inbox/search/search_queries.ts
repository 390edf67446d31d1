import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { TextKind } from '@parley/contract/inbox/text_search.ts';
import { and, customPlan, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { bucketCase } from '../queries.ts';

export interface TextScope {
  account_id: string;
  user_id: string | null;
  buckets: readonly Bucket[];
  kind: TextKind;
  patterns: readonly string[];
  prefixes: readonly string[];
}

export interface Hit {
  id: string;
  /** Null for texts that are not in a block yet. */
  block: number | null;
}

/** Matching texts that are not in a block yet, newest first. */
export const listFreshHits = (db: Queryable, scope: TextScope, before: string | null, limit: number) =>
  db.rows<Hit>(sql`
    select id, block from conversation_texts
    where account_id = ${scope.account_id} and kind = ${scope.kind} and block is null
      and ${before === null ? sql`true` : sql`id < ${before}::uuid`} and text like all(${scope.patterns}::text[])
    order by id desc limit ${limit}`);

/** Sorts after every word that begins with the prefix. */
const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;

/** A subquery in parentheses is never turned into a join, so each block costs one step in the index per word. */
const hasWord = ({ kind, account_id }: TextScope, prefix: string): Sql => sql`
  (select true from conversation_words w
   where w.account_id = ${account_id} and w.kind = ${kind} and w.block = b.block
     and w.word >= ${prefix} and w.word < ${afterPrefix(prefix)} limit 1)`;

/** The blocks, newest first, that have all of the words. */
export const listBlocksWithWords = async (
  db: Queryable,
  scope: TextScope,
  through: number | null,
  limit: number,
): Promise<number[]> =>
  (
    await db.rows<{ block: number }>(
      customPlan(sql`
        select b.block from conversation_text_blocks b
        where b.account_id = ${scope.account_id} and b.kind = ${scope.kind}
          and ${through === null ? sql`true` : sql`b.block <= ${through}`}
          and ${and(scope.prefixes.map((prefix) => hasWord(scope, prefix)))}
        order by b.block desc limit ${limit}`),
    )
  ).map(({ block }) => block);

/** The matching texts in the given blocks, newest first, starting after the given position. */
export const blockHits = (
  db: Queryable,
  scope: TextScope,
  blocks: readonly number[],
  { block, id }: { block: number | null; id: string | null },
  limit: number,
) =>
  db.rows<Hit>(
    customPlan(sql`
      select hit.id, hit.block from unnest(${blocks}::int[]) with ordinality as b(block, n)
      cross join lateral (
        select t.id, t.block from conversation_texts t
        where t.account_id = ${scope.account_id} and t.kind = ${scope.kind} and t.block = b.block
          and t.block is not null and t.text like all(${scope.patterns}::text[])
          and ${id === null ? sql`true` : sql`(t.id < ${id}::uuid or t.block < ${block})`}
        order by t.id desc limit ${limit}) hit
      order by b.n, hit.id desc limit ${limit}`),
  );

export interface Found {
  id: string;
  conversation_id: string;
  text: string;
  direction: 'MT' | 'MO' | null;
  user_name: string | null;
  timestamp: string;
}

const MESSAGES: Sql = sql`
  select m.id, m.account_id, m.sender_id, m.number, null::uuid as conversation_id, m.text, m.direction, m.user_id,
         m.create_date
  from messages m`;
const NOTES: Sql = sql`
  select e.id, e.account_id, null::uuid as sender_id, null as number, e.conversation_id, e.text, null as direction,
         e.user_id, e.create_date
  from conversation_entries e`;

/** Returns the given texts in conversations that the caller may view, in their order. */
export function readFoundTexts(
  db: Queryable,
  scope: TextScope,
  ids: readonly string[],
  limit: number,
): Promise<Found[]> {
  const isMessage = scope.kind === 'message';
  return db.rows<Found>(
    customPlan(sql`
        select x.id, c.id as conversation_id, x.text, x.direction,
               nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name, x.create_date as timestamp
        from unnest(${ids}::uuid[]) with ordinality as i(id, n)
        cross join lateral (
          ${isMessage ? MESSAGES : NOTES} where ${isMessage ? sql`m` : sql`e`}.account_id = ${scope.account_id}
            and ${isMessage ? sql`m` : sql`e`}.id = i.id limit 1) x
        cross join lateral (
          select c.id, c.assignee_id from conversations c
          where c.account_id = ${scope.account_id} and c.delete_date is null
            and ${isMessage ? sql`c.sender_id = x.sender_id and c.number = x.number` : sql`c.id = x.conversation_id`}
          limit 1) c
        left join users u on u.account_id = ${scope.account_id} and u.id = x.user_id
        where ${bucketCase(scope.user_id)} = any(${scope.buckets}::text[]) order by i.n limit ${limit}`),
  );
}

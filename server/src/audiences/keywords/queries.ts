import type { Keyword } from '@parley/contract/audiences/keywords.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

const columns: Sql = sql`id, account_id, words, match, sender_ids, countries,
  case when automation and effect = 'none' and reply is null then 'automation' else effect end as effect, reply,
  label_ids, enabled, position, create_date`;

/** The keywords of these accounts, each account in its order. */
export const listKeywords = (db: Queryable, account_ids: readonly string[]) =>
  db.rows<Keyword>(sql`
    select ${columns} from keywords where account_id = any(${account_ids}::uuid[]) order by account_id, position, id`);

/** Serializes the changes of an account's keywords. */
export const lockKeywords = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} keywords`}, 7304))`);

export const saveKeyword = (tx: Tx, row: Omit<Keyword, 'create_date'>) =>
  tx.one<Keyword>(sql`
    insert into keywords (account_id, id, position, words, match, sender_ids, countries, effect, automation, reply,
      label_ids, enabled, create_date)
    values (${row.account_id}, ${row.id}, ${row.position}, ${row.words}::text[], ${row.match},
            ${row.sender_ids}::uuid[], ${row.countries}::text[], ${row.effect === 'automation' ? 'none' : row.effect},
            ${row.effect === 'automation'}, ${row.reply}, ${row.label_ids}::uuid[], ${row.enabled}, ${tx.now})
    on conflict (account_id, id) do update
      set position = excluded.position, words = excluded.words, match = excluded.match,
          sender_ids = excluded.sender_ids, countries = excluded.countries, effect = excluded.effect,
          automation = excluded.automation, reply = excluded.reply, label_ids = excluded.label_ids,
          enabled = excluded.enabled
    returning ${columns}`);

export const deleteKeyword = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from keywords where account_id = ${account_id} and id = ${id}`);

/** Returns how many of these senders and labels exist. */
export const countTargets = (
  db: Queryable,
  { account_id, sender_ids, label_ids }: Pick<Keyword, 'account_id' | 'sender_ids' | 'label_ids'>,
) =>
  db.one<{ senders: number; labels: number }>(sql`
    select
      (select count(*)::int from senders where account_id = ${account_id} and id = any(${sender_ids}::uuid[])
         and delete_date is null) as senders,
      (select count(*)::int from labels
       where account_id = ${account_id} and id = any(${label_ids}::uuid[])) as labels`);

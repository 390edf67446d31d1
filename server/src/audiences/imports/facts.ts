/** The facts that an import stores about the people in its file: tags and a consent. */
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { ImportRow } from './queries.ts';

type Source = Pick<ImportRow, 'account_id' | 'id' | 'filename' | 'options'> & {
  audience_id: string;
  user_id: string | null;
  /** Whether the import creates the audience. */
  isNew: boolean;
};

/** Runs after the contacts have been stored, so that every number has a person. */
export async function storeFacts(tx: Tx, source: Source): Promise<void> {
  if (source.options.tags.length > 0) await addTags(tx, source);
  if (source.options.consent) await addConsents(tx, source);
}

/** The numbers that the import added or changed. Contacts that it leaves unchanged get no facts. */
function changedNumbers({ account_id, audience_id, isNew, options }: Source): Sql {
  if (isNew) return sql`select number from contacts where account_id = ${account_id} and audience_id = ${audience_id}`;
  if (options.existing !== 'skip') return sql`select number from import_contacts`;
  return sql`
    select s.number from import_contacts s
    where exists (select from contacts k where k.account_id = ${account_id} and k.audience_id = ${audience_id}
      and k.id = s.id)`;
}

/** Tags that differ only in case are the same. The tags that fit are remembered, so that they can be removed. */
const addTags = (tx: Tx, source: Source): Promise<number> =>
  tx.run(sql`
    with fitting as (
      select p.id, (
        array(select t from unnest(${source.options.tags}::text[]) with ordinality as x(t, place)
          where lower(t) not in (select lower(own) from unnest(p.tags) as own) order by place)
      )[1:${MAX_TAGS}::int - cardinality(p.tags)] as added
      from (${changedNumbers(source)}) n
      join people p on p.account_id = ${source.account_id} and p.number = n.number
    ), tagged as (
      update people p set tags = p.tags || f.added, update_date = ${tx.now}
      from fitting f
      where p.account_id = ${source.account_id} and p.id = f.id and cardinality(f.added) > 0
      returning p.id, f.added
    )
    insert into import_changes (account_id, import_id, kind, id, detail, create_date)
    select ${source.account_id}::uuid, ${source.id}::uuid, 'person', id, jsonb_build_object('tags', added), ${tx.now}
    from tagged`);

/** A file cannot consent for people who have withdrawn. */
function addConsents(tx: Tx, source: Source): Promise<number> {
  const { account_id, options, filename, user_id } = source;
  const { channel, purpose, text, source: place } = options.consent!;
  return tx.run(sql`
    with given as (
      insert into consents (account_id, id, number, channel, purpose, change, method, text, source, user_id,
        create_date)
      select ${account_id}::uuid, (${newId().slice(0, 14)}::text || substr(gen_random_uuid()::text, 15))::uuid,
             n.number, ${channel}, ${purpose}, 'given', 'import', ${text}, ${place || filename}, ${user_id}::uuid,
             ${tx.now}
      from (${changedNumbers(source)}) n
      left join lateral (
        select change from consents
        where account_id = ${account_id} and number = n.number and (channel is null or channel = ${channel})
          and (purpose is null or purpose = ${purpose})
        order by create_date desc, id desc limit 1
      ) last on true
      where last.change is distinct from 'withdrawn'
      returning id
    )
    insert into import_changes (account_id, import_id, kind, id, detail, create_date)
    select ${account_id}::uuid, ${source.id}::uuid, 'consent', id, '{}', ${tx.now} from given`);
}

const REMOVED_AT_ONCE = 10_000;

/** Removes the changes of imports that can no longer be undone. */
export const removeOldChanges = (db: Queryable, before: Date): Promise<number> =>
  db.run(sql`
    delete from import_changes c using (
      select account_id, import_id, kind, id from import_changes where create_date < ${before} limit ${REMOVED_AT_ONCE}
    ) old
    where c.account_id = old.account_id and c.import_id = old.import_id and c.kind = old.kind and c.id = old.id`);

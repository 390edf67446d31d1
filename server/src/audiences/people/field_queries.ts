import { fieldSubject } from '@parley/contract/audiences/conditions.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';

const columns = raw('id, account_id, key, label, kind, choices, create_date, update_date');

/** All fields of an account. There are few. */
export const listFields = (db: Queryable, account_id: string) =>
  db.rows<ContactField>(sql`
    select ${columns} from contact_fields where account_id = ${account_id} order by lower(label), id`);

/** Serializes changes to the fields of an account. */
export const lockFields = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7395))`);

export const insertField = (
  tx: Tx,
  row: Pick<ContactField, 'account_id' | 'id' | 'key' | 'label' | 'kind' | 'choices'>,
) =>
  tx.one<ContactField>(sql`
    insert into contact_fields (account_id, id, key, label, kind, choices, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.key}, ${row.label}, ${row.kind}, ${row.choices}::text[], ${tx.now},
            ${tx.now})
    returning ${columns}`);

export const updateField = (tx: Tx, row: Pick<ContactField, 'account_id' | 'id' | 'label' | 'choices'>) =>
  tx.one<ContactField>(sql`
    update contact_fields set label = ${row.label}, choices = ${row.choices}::text[], update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} returning ${columns}`);

export const deleteField = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<{ key: string }>(sql`
    delete from contact_fields where account_id = ${account_id} and id = ${id} returning key`);

/** Whether a dynamic audience uses the field. */
export const isInConditions = async (db: Queryable, account_id: string, key: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from (
      select conditions from audiences where account_id = ${account_id} and conditions is not null
      union all
      select conditions from test_audiences where account_id = ${account_id} and conditions is not null
    ) used where strpos(conditions::text, ${JSON.stringify(fieldSubject(key))}) > 0 limit 1`)) !== null;

/** Returns whether an active automation waits for the dates of the field. */
export const isWatched = async (db: Queryable, account_id: string, kind: 'date' | 'keyword', id: string) =>
  (await db.maybeOne(sql`
    select from campaign_triggers where account_id = ${account_id} and kind = ${kind} and target_id = ${id} limit 1
  `)) !== null;

/** Removes a value from the next people in key order. Returns the last person, or null at the end. */
export const clearValues = (tx: Tx, account_id: string, key: string, after: string | null, limit: number) =>
  tx.maybeOne<{ last: string }>(sql`
    with page as (
      select id from people where account_id = ${account_id}
        and id > ${after ?? '00000000-0000-0000-0000-000000000000'}
      order by id limit ${limit}
    ), cleared as (
      update people p set fields = p.fields - ${key}::text, update_date = ${tx.now} from page
      where p.account_id = ${account_id} and p.id = page.id and p.fields ? ${key}::text
    )
    select last from (select max(id::text)::uuid as last from page) found where last is not null`);

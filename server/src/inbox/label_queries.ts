import type { Label } from '@parley/contract/inbox/labels.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';

const columns: Sql = sql`id, account_id, name, color`;

export const listLabelRows = (db: Queryable, account_id: string) =>
  db.rows<Label>(sql`select ${columns} from labels where account_id = ${account_id} order by lower(name), id`);

export const lockLabel = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Label>(sql`
    select ${columns} from labels where account_id = ${account_id} and id = ${id} for no key update`);

/** The label cannot be deleted before the transaction ends. */
export const keepLabel = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<{ id: string }>(sql`
    select id from labels where account_id = ${account_id} and id = ${id} for key share`);

/** Serializes the creation of labels in an account, so that the limit holds. */
export const lockLabels = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} labels`}, 7304))`);

/** Returns null if another label has the name. */
export const insertLabel = (tx: Tx, { account_id, id, name, color }: Label) =>
  tx.maybeOne<Label>(sql`
    insert into labels (account_id, id, name, color, create_date)
    values (${account_id}, ${id}, ${name}, ${color}, ${tx.now})
    on conflict (account_id, lower(name)) do nothing
    returning ${columns}`);

export const isNameTaken = async (tx: Tx, { account_id, id, name }: Label): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from labels where account_id = ${account_id} and lower(name) = lower(${name}) and id <> ${id}`)) !== null;

export const setLabel = (tx: Tx, { account_id, id, name, color }: Label) =>
  tx.run(sql`update labels set name = ${name}, color = ${color} where account_id = ${account_id} and id = ${id}`);

export const deleteLabel = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from labels where account_id = ${account_id} and id = ${id}`);

export const addLabel = (tx: Tx, account_id: string, conversation_id: string, label_id: string) =>
  tx.run(sql`
    insert into conversation_labels (account_id, conversation_id, label_id)
    values (${account_id}, ${conversation_id}, ${label_id}) on conflict do nothing`);

export const dropLabel = (tx: Tx, account_id: string, conversation_id: string, label_id: string) =>
  tx.run(sql`
    delete from conversation_labels
    where account_id = ${account_id} and conversation_id = ${conversation_id} and label_id = ${label_id}`);

/** Removes a deleted label from some conversations. Returns how many had it. */
export const dropEverywhere = (tx: Tx, account_id: string, label_id: string, limit: number) =>
  tx.run(sql`
    delete from conversation_labels
    where account_id = ${account_id} and label_id = ${label_id} and conversation_id in (
      select conversation_id from conversation_labels
      where account_id = ${account_id} and label_id = ${label_id} limit ${limit})`);

/** Whether a conversation has the label. Needs `conversations c`. */
export const hasLabel = (label_id: string): Sql => sql`
  exists (select from conversation_labels t
          where t.account_id = c.account_id and t.conversation_id = c.id and t.label_id = ${label_id})`;

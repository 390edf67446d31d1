import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { columns, type TemplateRow, tables } from './queries.ts';

/** The connection of the sender that a template belongs to. */
export const findConnection = async (db: Queryable, account_id: string, id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ connection_id: string | null }>(sql`
      select s.connection_id from templates t join senders s on s.account_id = t.account_id and s.id = t.sender_id
      where t.account_id = ${account_id} and t.id = ${id}`)
  )?.connection_id ?? null;

export const markTried = (account_id: string, id: string, revision: number): Sql => sql`
  update templates set tried = ${revision} where account_id = ${account_id} and id = ${id} and revision = ${revision}`;

/** True if no other template has this external id, including deleted ones. */
export const isAdoptable = async (db: Queryable, row: TemplateRow, external_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from templates where external_id = ${external_id} and id <> ${row.id}`)) === null;

export const findRemovedTemplate = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ external_id: string; name: string; connection_id: string | null }>(sql`
    select t.external_id, t.name, s.connection_id
    from templates t join senders s on s.account_id = t.account_id and s.id = t.sender_id
    where t.account_id = ${account_id} and t.id = ${id} and t.delete_date is not null and t.external_id is not null`);

/** Templates whose latest revision the carrier has. The carrier's notices count only for these. */
const handed = (connection_id: string, external_ids: readonly string[] | null): Sql => sql`
    select ${columns} from ${tables}
    where s.connection_id = ${connection_id} and t.channel = any(${channelsReviewedBy('carrier')}::text[])
      and t.delete_date is null and t.submitted = t.revision and t.external_id is not null
      and (${external_ids}::text[] is null or t.external_id = any(${external_ids}::text[]))
    order by t.id`;
export const listSubmitted = (db: Queryable, connection_id: string) =>
  db.rows<TemplateRow>(handed(connection_id, null));
/** Locks rows in id order, so that two callbacks cannot deadlock. */
export const lockSubmitted = (tx: Tx, connection_id: string, external_ids: readonly string[]) =>
  tx.rows<TemplateRow>(sql`${handed(connection_id, external_ids)} for update of t`);

interface ReviewingConnection {
  connection_id: string;
  sender: string;
  channel: ChannelName;
}
/**
 * Connections whose carrier reviews templates, each with a sender's name. Null selects the connections of all
 * accounts.
 */
export const listReviewingConnections = (db: Queryable, account_id: string | null) =>
  db.rows<ReviewingConnection>(sql`
    select s.connection_id, min(s.name) as sender, s.channel from senders s
    where s.channel = any(${channelsReviewedBy('carrier')}::text[]) and s.connection_id is not null
      and (${account_id}::uuid is null or s.account_id = ${account_id}::uuid)
      and exists (
        select from templates t where t.account_id = s.account_id and t.sender_id = s.id and t.delete_date is null)
    group by s.connection_id, s.channel order by s.connection_id`);

/** Returns false if the account compared its templates too recently. */
export const claimSync = async (db: Queryable, account_id: string, now: Date, pause_ms: number): Promise<boolean> =>
  (await db.run(sql`
    insert into template_syncs (account_id, date) values (${account_id}, ${now})
    on conflict (account_id) do update set date = excluded.date
    where template_syncs.date <= ${new Date(now.getTime() - pause_ms)}`)) > 0;

/** Returns false if any account compared this connection so recently that the result still holds. */
export const claimConnectionSync = async (
  db: Queryable,
  connection_id: string,
  now: Date,
  pause_ms: number,
): Promise<boolean> =>
  (await db.run(sql`
    insert into connection_syncs (connection_id, date) values (${connection_id}, ${now})
    on conflict (connection_id) do update set date = excluded.date
    where connection_syncs.date <= ${new Date(now.getTime() - pause_ms)}`)) > 0;
/** Releases the claim after a failure, so that the next request is not delayed. */
export const releaseConnectionSync = (db: Queryable, connection_id: string) =>
  db.run(sql`delete from connection_syncs where connection_id = ${connection_id}`);

import type { Sender } from '@parley/contract/senders/senders.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface Candidate {
  id: string;
  code: string;
  channel: Sender['channel'];
  type: Sender['type'];
  status: Sender['status'];
  pool_id: string | null;
}

export const lockCandidates = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.rows<Candidate>(sql`
    select s.id, s.code, s.channel, s.type, s.status, k.pool_id
    from senders s left join number_pool_members k on k.account_id = s.account_id and k.sender_id = s.id
    where s.account_id = ${account_id} and s.id = any(${ids}::uuid[]) and s.delete_date is null
      and s.shared_from is null`);

export const listMemberWeights = (db: Queryable, account_id: string, pool_id: string) =>
  db.rows<{ sender_id: string; weight: number }>(
    sql`select sender_id, weight from number_pool_members where account_id = ${account_id} and pool_id = ${pool_id}`,
  );

export const findPool = async (db: Queryable, account_id: string, sender_id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ pool_id: string }>(
      sql`select pool_id from number_pool_members where account_id = ${account_id} and sender_id = ${sender_id}`,
    )
  )?.pool_id ?? null;

/** For numbers from the inventory, the country comes from the inventory. */
export const listMembers = (db: Queryable, account_id: string, pool_id: string) =>
  db.rows<{
    sender_id: string;
    name: string;
    code: string;
    type: Sender['type'];
    status: Sender['status'];
    country: string | null;
    countries: string[];
    weight: number;
    own: boolean;
    messages_30_days: number;
  }>(sql`
    select s.id as sender_id, s.name, s.code, s.type, s.status, n.country, s.countries, k.weight,
           k.sender_id = k.pool_id as own,
           coalesce((
             select sum(d.messages) from number_pool_days d
             where d.account_id = k.account_id and d.pool_id = k.pool_id and d.sender_id = k.sender_id
               and d.day > (now() at time zone 'UTC')::date - 30), 0)::int as messages_30_days
    from number_pool_members k
    join senders s on s.account_id = k.account_id and s.id = k.sender_id
    left join numbers n on n.number = s.code and n.account_id = k.account_id
    where k.account_id = ${account_id} and k.pool_id = ${pool_id}
    order by own desc, k.create_date, k.sender_id`);

export const listUsableMembers = (db: Queryable, account_id: string, pool_id: string) =>
  db.rows<{ sender_id: string; code: string; country: string | null; countries: string[]; weight: number }>(sql`
    select s.id as sender_id, s.code, n.country, s.countries, k.weight
    from number_pool_members k
    join senders s
      on s.account_id = k.account_id and s.id = k.sender_id and s.status = 'available' and s.delete_date is null
    left join numbers n on n.number = s.code and n.account_id = k.account_id
    where k.account_id = ${account_id} and k.pool_id = ${pool_id}
    order by k.sender_id`);

export const putMembers = (
  tx: Tx,
  { account_id, pool_id }: { account_id: string; pool_id: string },
  members: readonly { sender_id: string; weight: number }[],
) =>
  tx.run(sql`
    insert into number_pool_members (account_id, sender_id, pool_id, weight, create_date)
    select ${account_id}, sender_id, ${pool_id}, weight, ${tx.now}
    from unnest(${members.map(({ sender_id }) => sender_id)}::uuid[], ${members.map(({ weight }) => weight)}::int[])
      as t(sender_id, weight)
    on conflict (account_id, sender_id) do update set weight = excluded.weight`);

export const removeMembers = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.run(sql`delete from number_pool_members where account_id = ${account_id} and sender_id = any(${ids}::uuid[])`);

/** Deletes the assignments of recipients to members of a dissolved pool. */
export const deletePairs = (tx: Tx, account_id: string, pool_id: string) =>
  tx.run(sql`delete from number_pool_contacts where account_id = ${account_id} and pool_id = ${pool_id}`);

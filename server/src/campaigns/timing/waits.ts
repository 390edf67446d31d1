/** A campaign's contacts waiting for their time. Every function that writes requires the campaign's lock. */
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { CampaignRow } from '../model/row.ts';

type Waits = CampaignRow['waits'];
type Key = Pick<CampaignRow, 'account_id' | 'id'>;

export interface Wait {
  readonly contact_id: string;
  /** In ISO format, as in the campaign's counts. */
  readonly until: string;
}

/** Returns the next contacts whose time has come, in the order of their times. */
export async function takeDueWaits(tx: Tx, { account_id, id, waits }: Key & { waits: Waits }, limit: number) {
  const times = Object.keys(waits);
  if (times.every((until) => new Date(until) > tx.now)) return [];
  const rows = await readDue(tx, { account_id, id }, tx.now, limit);
  return rows.map(({ contact_id, ms }): Wait => ({ contact_id, until: new Date(ms).toISOString() }));
}

const readDue = (db: Queryable, { account_id, id }: Key, now: Date, limit: number) =>
  db.rows<{ contact_id: string; ms: number }>(sql`
    select contact_id, (extract(epoch from not_before) * 1000)::bigint as ms from campaign_waits
    where account_id = ${account_id} and campaign_id = ${id} and not_before <= ${now}
    order by not_before, contact_id limit ${limit}`);

/** Returns the time of the next contact. */
export const nextWait = ({ waits }: { waits: Waits }): Date =>
  new Date(Object.keys(waits).reduce((first, until) => (until < first ? until : first)));

/** Stores the waiting contacts, and returns the new counts. */
export async function addWaits(
  tx: Tx,
  { account_id, id }: Key,
  waits: Waits,
  added: readonly { contact_id: string; until: Date }[],
): Promise<Waits> {
  if (added.length === 0) return waits;
  await tx.run(sql`
    insert into campaign_waits (account_id, campaign_id, not_before, contact_id)
    select ${account_id}, ${id}, t.not_before, t.contact_id
    from unnest(${added.map(({ until }) => until)}::timestamptz[], ${added.map(({ contact_id }) => contact_id)}::uuid[])
      as t(not_before, contact_id)`);
  const counts = { ...waits };
  for (const { until } of added) {
    const key = until.toISOString();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Removes contacts who no longer wait, and returns the new counts. */
export async function removeWaits(
  tx: Tx,
  { account_id, id, waits }: Key & { waits: Waits },
  ended: readonly Wait[],
): Promise<Waits> {
  await tx.run(sql`
    delete from campaign_waits w
    using unnest(${ended.map(({ until }) => until)}::timestamptz[],
                 ${ended.map(({ contact_id }) => contact_id)}::uuid[])
      as t(not_before, contact_id)
    where w.account_id = ${account_id} and w.campaign_id = ${id} and w.not_before = t.not_before
      and w.contact_id = t.contact_id`);
  const counts = { ...waits };
  for (const { until } of ended) {
    counts[until] = counts[until]! - 1;
    if (counts[until] === 0) delete counts[until];
  }
  return counts;
}

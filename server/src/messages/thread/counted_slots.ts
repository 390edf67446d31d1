/**
 * Reads the counted slots: how many messages an account created per quarter of an hour, by one dimension at a time. The
 * module `insights` counts them. A slot is trusted only if it lies before the account's mark and none of its messages
 * has changed since (decision 43).
 */
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';

export const SLOT_MS = 900_000;

/** The value of messages `m` in each dimension; an empty text if they do not have the property. */
const VALUES = {
  channel: 'm.channel',
  country: 'm.country',
  network: `coalesce(m.mccmnc, '')`,
  sender: 'm.sender_id::text',
  campaign: `coalesce(m.campaign_id::text, '')`,
  source: 'm.source',
  status: 'm.status',
  price: 'm.charge',
  failure: `coalesce(m.failure, '')`,
  user: `coalesce(m.user_id::text, '')`,
  key: `coalesce(m.key_id::text, '')`,
} as const;
export type Dimension = keyof typeof VALUES;
export const dimensionValue = (dimension: Dimension): Sql => raw(VALUES[dimension]);

/** Selects messages by creation time through the primary key. */
export const createdSince = (from: Date): Sql =>
  sql`m.id >= ${idAt(from.getTime() - ID_MARGIN_MS)}::uuid and m.create_date >= ${from}`;
export const createdBefore = (to: Date): Sql =>
  sql`m.id < ${idAt(to.getTime() + ID_MARGIN_MS)}::uuid and m.create_date < ${to}`;

/** The rows `t` of the given slots, with the range of the IDs of their messages. */
export const slotRows = (slots: readonly Date[]): Sql => sql`unnest(
  ${slots}::timestamptz[], ${slots.map((at) => idAt(at.getTime() - ID_MARGIN_MS))}::uuid[],
  ${slots.map((at) => idAt(at.getTime() + SLOT_MS + ID_MARGIN_MS))}::uuid[]) as t(slot, first_id, end_id)`;
/** The messages `m` of a slot `t`. */
export const inSlot: Sql = sql`
  m.id >= t.first_id and m.id < t.end_id and m.create_date >= t.slot
  and m.create_date < t.slot + interval '15 minutes'`;

/** Returns the time up to which slots are counted, or null if none are. */
export async function findMark(db: Queryable, account_id: string): Promise<Date | null> {
  const row = await db.maybeOne<{ at: number }>(
    sql`select extract(epoch from counted_until)::float8 as at from message_count_marks
      where account_id = ${account_id}`,
  );
  return row && new Date(row.at * 1000);
}

/** Returns the counted slots whose messages have changed since. */
export async function listChangedSlots(db: Queryable, account_id: string, from: Date, to: Date): Promise<Date[]> {
  const rows = await db.rows<{ at: number }>(sql`
    select distinct extract(epoch from slot)::float8 as at from message_count_changes
    where account_id = ${account_id} and slot >= ${from} and slot < ${to}`);
  return rows.map(({ at }) => new Date(at * 1000));
}

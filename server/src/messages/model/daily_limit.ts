/**
 * The daily limit of a connection, such as the number of messages that a SIM card may send. All workers share the
 * count, so its row is locked while messages are claimed.
 */
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';

const today: Sql = sql`(now() at time zone 'UTC')::date`;

/** Returns null if the settings contain no limit. */
export function readDailyLimit(settings: unknown): number | null {
  const { daily_limit } = settings as { daily_limit?: unknown };
  return typeof daily_limit === 'number' ? daily_limit : null;
}

/** Returns the shares that still fit in the limit, the first ones first. Locks the count until the commit. */
export async function fitDailyLimit<T extends { share: number }>(
  tx: Tx,
  connection_id: string,
  daily_limit: number,
  shares: readonly T[],
): Promise<T[]> {
  await tx.run(sql`
    insert into connection_days (connection_id, day, message_count) values (${connection_id}, ${today}, 0)
    on conflict do nothing`);
  const { message_count } = await tx.one<{ message_count: number }>(sql`
    select message_count from connection_days where connection_id = ${connection_id} and day = ${today} for update`);
  let left = Math.max(0, daily_limit - message_count);
  return shares.flatMap((entry) => {
    const share = Math.min(entry.share, left);
    left -= share;
    return share > 0 ? [{ ...entry, share }] : [];
  });
}

/** Adds claimed messages to the count. A negative number takes back messages that were not sent. */
export const countDailyUse = (tx: Tx, connection_id: string, messages: number) =>
  tx.run(sql`
    update connection_days set message_count = greatest(0, message_count + ${messages})
    where connection_id = ${connection_id} and day = ${today}`);

/** A condition on `connections c`: its daily limit is reached. */
export const isDailyLimitReached: Sql = sql`coalesce((
  select t.message_count >= (c.settings->>'daily_limit')::int from connection_days t
  where t.connection_id = c.id and t.day = ${today}), false)`;

/**
 * Names a campaign that was created without a name: "Campaign 2026-11-21 14:05" in the account's time zone, followed by
 * a number if that name is taken.
 */
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

export async function chooseName(tx: Tx, account_id: string): Promise<string> {
  const { timezone } = await tx.one<{ timezone: string }>(sql`select timezone from accounts where id = ${account_id}`);
  return chooseNameLike(tx, account_id, `Campaign ${formatLocalMinute(tx.now, timezone)}`);
}

/** Returns the name, followed by a number if it is taken. */
export async function chooseNameLike(tx: Tx, account_id: string, name: string): Promise<string> {
  // Serializes campaigns created at the same time, so that none is refused because its generated name is taken.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`campaign name ${account_id}`}, 7))`);
  return addNumber(name, await listNamesLike(tx, account_id, name));
}

function addNumber(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} (${number})`;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

export function formatLocalMinute(at: Date, timezone: string): string {
  // The Swedish date format is ISO 8601.
  const options = { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', options).format(at);
  } catch {
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: 'UTC' }).format(at);
  }
}

const listNamesLike = async (db: Queryable, account_id: string, name: string): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(
      sql`select name from campaigns where account_id = ${account_id} and starts_with(lower(name), lower(${name}))`,
    )
  ).map((row) => row.name);

import { sql, type Tx } from '../../kernel/db/db.ts';

/** Counts messages with links of a new sender, and returns the count of the hour. Locks it until the commit. */
export async function countLinks(tx: Tx, account_id: string, sender_id: string, count: number): Promise<number> {
  const { sent } = await tx.one<{ sent: number }>(sql`
    insert into sender_link_counts as c (account_id, sender_id, hour, sent)
    values (${account_id}, ${sender_id}, date_trunc('hour', ${tx.now}::timestamptz, 'UTC'), ${count})
    on conflict (account_id, sender_id, hour) do update set sent = c.sent + excluded.sent
    returning sent`);
  return sent;
}

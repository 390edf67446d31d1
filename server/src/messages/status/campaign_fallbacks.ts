/** Remembers which campaigns have no fallbacks. A campaign with messages has started, so this never changes. */
import { sql, type Tx } from '../../kernel/db/db.ts';

const MAX_REMEMBERED = 10_000;
const remembered = new Set<string>();

/** Returns the campaigns of these messages whose messages have no fallbacks. */
export async function listCampaignsWithoutFallbacks(
  tx: Tx,
  messages: readonly { account_id: string; campaign_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const unknown = new Map<string, string>();
  for (const { account_id, campaign_id } of messages)
    if (campaign_id !== null && !remembered.has(campaign_id)) unknown.set(campaign_id, account_id);
  if (unknown.size > 0) {
    const rows = await tx.rows<{ id: string }>(sql`
      select c.id from unnest(${[...unknown.values()]}::uuid[], ${[...unknown.keys()]}::uuid[]) as t(account_id, id)
      join campaigns c on c.account_id = t.account_id and c.id = t.id
      where c.fallbacks is null`);
    if (remembered.size > MAX_REMEMBERED) remembered.clear();
    for (const { id } of rows) remembered.add(id);
  }
  return remembered;
}

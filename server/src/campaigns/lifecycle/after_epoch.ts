/**
 * Pauses campaigns when a new epoch of the database begins. The cursor of a running campaign may be behind the messages
 * that were sent, so contacts after the cursor may already have the message, and so may the people waiting for an
 * automation. A user decides whether to resume. Messages created after that are marked as possible duplicates.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announce, reread } from '../model/announce.ts';
import { lockCampaign } from '../model/queries.ts';
import { isAutomation, watchTriggers } from './activation.ts';
import { halt, setStatus } from './lifecycle.ts';

export async function pauseAfterEpoch(tx: Tx): Promise<void> {
  // Paused campaigns may have been resumed, scheduled ones may have started, and ended ones may have been retried.
  const campaigns = await tx.rows<{ account_id: string; id: string; status: string }>(sql`
    update campaigns set possible_duplicate = true
    where status in ('in_progress', 'paused', 'error')
      or (status = 'scheduled' and coalesce(due_date, schedule) <= now())
      or (status in ('completed', 'failed') and retryable_count > 0)
      or (status = 'scheduled' and trigger is not null and exists (
        select from campaign_entries e
        where e.account_id = campaigns.account_id and e.campaign_id = campaigns.id and e.run_id is null))
    returning account_id, id, status`);
  for (const { account_id, id, status } of campaigns) {
    if (status !== 'in_progress' && status !== 'scheduled') continue;
    const row = await lockCampaign(tx, account_id, id);
    if (!row) continue;
    if (status === 'in_progress') await halt(tx, row, 'paused', 'restored');
    else await setStatus(tx, row, 'paused', 'restored');
    if (isAutomation(row)) await watchTriggers(tx, await reread(tx, account_id, id));
    await announce(tx, account_id, id);
  }
}

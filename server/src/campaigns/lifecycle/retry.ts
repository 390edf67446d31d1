/**
 * Retries messages that failed for a temporary reason. The same message is sent again, so no recipient gets two copies.
 * If a carrier was already paid for a message, the message is not retried, because a message is charged at most once.
 */
import { Problem } from '@parley/contract/problem.ts';
import { requireSending } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { RETRYABLE, requeueFailed } from '../../messages/messages.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { announce } from '../model/announce.ts';
import { listMessagesAfter, lockCampaign } from '../model/queries.ts';
import type { CampaignRow } from '../model/row.ts';
import { touchCampaign } from '../model/wake.ts';
import { readPace } from '../timing/pace.ts';
import { listZoned, loadPlanner, readContactZones } from '../timing/planner.ts';
import { setStatus } from './lifecycle.ts';

const PORTION = 1_000;

export async function retryFailed(
  tx: Tx,
  kernel: Kernel,
  account_id: string,
  id: string,
): Promise<{ id: string; retried: number }> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  if (!['completed', 'failed', 'in_progress'].includes(row.status))
    throw new Problem('CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED');
  await requireSender(tx, row);
  const slots = await planSlots(tx, row);
  let retried = 0;
  for (let after = '', more = true; more; ) {
    const messages = await listMessagesAfter(tx, row, RETRYABLE, after, PORTION);
    const message_ids = messages.map((message) => message.id);
    const { validity_seconds } = row;
    retried += await requeueFailed(tx, kernel, { account_id, campaign_id: id, message_ids, validity_seconds, slots });
    after = messages.at(-1)?.number ?? after;
    more = messages.length === PORTION;
  }
  if (retried > 0) {
    await setStatus(tx, row, 'in_progress', null);
    await tx.run(sql`
      update campaigns set end_date = null, archive_date = null,
        retryable_count = greatest(0, retryable_count - ${retried}::int)
      where account_id = ${account_id} and id = ${id}`);
    await announce(tx, account_id, id);
    tx.afterCommit(() => touchCampaign(account_id, id));
  }
  return { id, retried };
}

/** Retried messages keep the delivery windows and the campaign's rate. */
async function planSlots(tx: Tx, row: CampaignRow) {
  const planner = await loadPlanner(tx, row);
  const pace = readPace(row, tx.now);
  let placed = 0;
  return async (messages: readonly { number: string; country: string }[]) => {
    const zones = await readContactZones(tx, row.account_id, listZoned(planner, messages));
    return messages.map(({ number, country }) => {
      const plan = planner.plan({ number, country, timezone: zones.get(number) }, tx.now);
      const slot = typeof plan === 'string' ? { at: tx.now.getTime(), windows: null } : plan;
      const turn = pace ? pace.at(placed++).getTime() : 0;
      return { not_before: new Date(Math.max(slot.at, turn)), windows: slot.windows };
    });
  };
}

async function requireSender(tx: Tx, { account_id, sender_id }: CampaignRow): Promise<void> {
  await requireSending(tx, account_id);
  const sender = sender_id && (await findSender(tx, account_id, sender_id));
  if (!sender || !isUsable(sender)) throw new Problem('CAMPAIGN_SENDER_INVALID');
}

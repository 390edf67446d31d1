/**
 * Starts each scheduled campaign once, on the first worker that locks it. If a campaign is more than an hour late
 * because no worker was running, or if it cannot start, it pauses with the reason.
 */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { tryLockCampaign } from '../model/queries.ts';
import { campaignReason } from '../model/reasons.ts';
import { moveCampaign, setStatus } from './lifecycle.ts';

const INTERVAL_MS = 1_000;
const LATE_MS = 3_600_000;

export const startSchedule = (kernel: Kernel): Loop =>
  startLoop(kernel, 'campaign schedule', async () => {
    await startDue(kernel);
    return INTERVAL_MS;
  });

/** Starts all campaigns that are due. If one fails, the others still start. */
export async function startDue(kernel: Kernel): Promise<void> {
  const due = await kernel.db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from campaigns
    where status = 'scheduled' and schedule <= ${kernel.clock.now()} order by schedule limit 50`);
  for (const { account_id, id } of due) {
    try {
      const refusal = await startScheduled(kernel, account_id, id);
      if (refusal) await pauseScheduled(kernel, account_id, id, refusal);
    } catch (error) {
      kernel.log.error({ err: error, account_id, campaign_id: id }, 'campaign schedule');
    }
  }
}

/** Starts a campaign. Returns the reason why it did not start, or null if it started here or on another worker. */
async function startScheduled(kernel: Kernel, account_id: string, id: string): Promise<CampaignReason | null> {
  try {
    return await kernel.db.tx(async (tx) => {
      const row = await tryLockCampaign(tx, account_id, id);
      if (row?.status !== 'scheduled' || row.schedule === null) return null;
      const late = tx.now.getTime() - parseTimestamp(row.schedule).getTime();
      if (late < 0) return null;
      if (late > LATE_MS) return 'missed_schedule';
      await moveCampaign(tx, kernel, row, 'in_progress');
      await announce(tx, account_id, id);
      return null;
    });
  } catch (error) {
    const reason = campaignReason(error);
    if (reason === null) throw error;
    return reason;
  }
}

async function pauseScheduled(kernel: Kernel, account_id: string, id: string, reason: CampaignReason): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const row = await tryLockCampaign(tx, account_id, id);
    if (row?.status !== 'scheduled') return;
    await setStatus(tx, row, 'paused', reason);
    await announce(tx, account_id, id);
  });
  kernel.log.warn({ account_id, campaign_id: id, reason }, 'scheduled campaign not started');
}
